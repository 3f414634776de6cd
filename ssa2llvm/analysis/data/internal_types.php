<?php
// Prints what Reflection tells of PHP's internal functions and classes, one JSON object a line, for
// ssa2llvm/analysis/data/internal_types.py. Run: php -n ssa2llvm/analysis/data/internal_types.php

function type_of(?ReflectionType $type): array
{
    if ($type === null) {
        return ["mixed"];
    }
    if ($type instanceof ReflectionUnionType) {
        return array_merge(...array_map("type_of", $type->getTypes()));
    }
    if ($type instanceof ReflectionIntersectionType) {
        return ["object"];
    }
    $names = [$type->getName()];
    if ($type->allowsNull() && !in_array($names[0], ["mixed", "null"])) {
        $names[] = "null";
    }
    return $names;
}

function describe(ReflectionFunctionAbstract $function): array
{
    $type = $function->getReturnType() ?? $function->getTentativeReturnType();
    $modes = "";
    foreach ($function->getParameters() as $parameter) {
        $by_value = in_array("callable", type_of($parameter->getType())) ? "c" : "-";
        $modes .= !$parameter->isPassedByReference() ? $by_value : ($parameter->canBePassedByValue() ? "~" : "&");
        if ($parameter->isVariadic()) {
            $modes .= "*";
        }
    }
    return ["returns" => type_of($type), "by_ref" => $function->returnsReference(), "modes" => $modes];
}

foreach (get_defined_functions()["internal"] as $name) {
    echo json_encode(["function" => $name] + describe(new ReflectionFunction($name))), "\n";
}
foreach (array_merge(get_declared_classes(), get_declared_interfaces(), get_declared_traits()) as $name) {
    $class = new ReflectionClass($name);
    $properties = [];
    foreach ($class->getProperties() as $property) {
        if ($property->getDeclaringClass()->getName() === $name) {
            $properties[] = [
                "name" => $property->getName(),
                "type" => $property->hasType() ? type_of($property->getType()) : [],
                "static" => $property->isStatic(),
                "access" => $property->isPublic() ? "public" : ($property->isProtected() ? "protected" : "private"),
            ];
        }
    }
    $methods = ["static" => [], "instance" => []];
    foreach ($class->getMethods() as $method) {
        if ($method->isPublic() && $method->getDeclaringClass()->getName() === $name) {
            $kind = $method->isStatic() ? "static" : "instance";
            $methods[$kind][] = ["name" => strtolower($method->getName())] + describe($method);
        }
    }
    echo json_encode([
        "class" => $name,
        "parent" => ($class->getParentClass() ?: null)?->getName(),
        "interfaces" => $class->getInterfaceNames(),
        "kind" => $class->isInterface() ? "interface" : ($class->isTrait() ? "trait" : ($class->isAbstract() ? "abstract" : "class")),
        "constructor" => $class->getConstructor() !== null,
        "properties" => $properties,
        "methods" => $methods,
    ]), "\n";
}
