/** The usual names of the kinds of declarations, with what the grammars of all languages call them. */
export function declaredKinds(): Readonly<Record<string, string>> {
  const types: Record<string, string> = {
    function:
      'function_declaration function_definition function_item function_signature generator_function_declaration function_signature_item local_function_statement',
    method:
      'method_definition method_declaration method singleton_method method_signature abstract_method_signature method_elem',
    constructor: 'constructor_declaration',
    class: 'class_declaration class_definition class_specifier class abstract_class_declaration',
    record: 'record_declaration',
    struct: 'struct_item struct_specifier struct_declaration',
    union: 'union_item union_specifier',
    interface: 'interface_declaration',
    trait: 'trait_item trait_declaration',
    enum: 'enum_declaration enum_item enum_specifier',
    implementation: 'impl_item',
    type: 'type_alias_declaration type_item type_spec type_alias type_definition alias_declaration delegate_declaration annotation_type_declaration',
    module: 'module mod_item',
    namespace: 'namespace_declaration namespace_definition internal_module',
    constant: 'const_item static_item const_spec const_element enum_member_declaration',
    macro: 'preproc_def preproc_function_def macro_definition',
    property: 'property_declaration',
    field: 'public_field_definition field_definition',
  };
  return Object.fromEntries(Object.entries(types).flatMap(([kind, of]) => of.split(' ').map((type) => [type, kind])));
}
