; TypeScript and TSX: types by their names, and words of types.

(type_identifier) @type
(predefined_type) @type
(enum_declaration name: (identifier) @type)
(property_signature name: (property_identifier) @property)
(method_signature name: (property_identifier) @function)
(function_signature name: (identifier) @function)
(type_predicate name: (identifier) @variable)
[ "infer" "is" "asserts" "global" "module" ] @keyword
