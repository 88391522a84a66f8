; C#, after the grammar's own query: properties, calls, attributes and preprocessor lines.

(property_declaration name: (identifier) @property)
(invocation_expression function: (identifier) @function)
(member_access_expression name: (identifier) @property)
(invocation_expression function: (member_access_expression name: (identifier) @function))
(enum_member_declaration name: (identifier) @constant)
(attribute_list) @attribute
(attribute name: (identifier) @attribute)
(type_parameter name: (identifier) @type)
(interpolation) @embedded
[ "private" "public" "protected" "internal" ] @keyword
[ (preproc_if) (preproc_region) (preproc_endregion) ] @embedded
