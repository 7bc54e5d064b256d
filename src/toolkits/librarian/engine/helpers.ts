/**
 * Our own functions in XQuery: grouping keys that compare as the standard says, and the serialisation of items. The
 * functions that are declared here without a body are in `declarations.ts`.
 */
export const helpers = `
module namespace helve = "urn:helve:librarian";
declare %public function helve:key($value as item()*) as xs:anyAtomicType? {
  let $key := data($value)
  return if (count($key) gt 1) then error(xs:QName('XPTY0004'), 'a grouping key with more than one item')
    else if ($key instance of xs:untypedAtomic) then string($key) else $key
};
declare %public function helve:mark($key as xs:anyAtomicType?) as xs:string {
  if (empty($key)) then 'e'
  else if ($key instance of xs:string or $key instance of xs:anyURI) then concat('s', $key)
  else if ($key instance of xs:decimal or $key instance of xs:double or $key instance of xs:float)
    then concat('n', string(xs:double($key) + 0))
  else if ($key instance of xs:dateTime) then concat('t', string($key - xs:dateTime('1970-01-01T00:00:00Z')))
  else if ($key instance of xs:date) then concat('d', string($key - xs:date('1970-01-01Z')))
  else if ($key instance of xs:boolean) then concat('b', string($key))
  else concat('o', string($key))
};
declare %public function helve:groups($tuples as map(*)*, $names as xs:string*) as array(*)* {
  let $all := array { $tuples }
  let $marks := $tuples ! string-join(
    (for $name in $names let $mark := helve:mark(map:get(., $name)) return concat(string-length($mark), ':', $mark)))
  let $groups := helve:positions($marks)
  return $groups?* ! array { .?* ! $all(xs:integer(.)) }
};
declare %public function helve:all($group as array(*), $name as xs:string) as item()* {
  $group?* ! map:get(., $name)
};
declare %public function helve:first($group as array(*), $name as xs:string) as item()* {
  map:get($group(1), $name)
};
declare %public function helve:sort($items as item()*) as item()* {
  for $item in $items let $key := data($item) order by $key return $item
};
declare %public function helve:sort($items as item()*, $collation as xs:string?, $key as function(*)) as item()* {
  if (exists($collation)) then error(xs:QName('FOCH0002'), 'collations are not supported by the embedded engine')
  else for $item in $items let $of := data($key($item)) order by $of return $item
};
declare %public function helve:for-each-pair($one as item()*, $two as item()*, $act as function(*)) as item()* {
  let $a := array { $one } let $b := array { $two }
  for $at in 1 to min((array:size($a), array:size($b))) return $act($a($at), $b($at))
};
declare %public function helve:contains-token($items as xs:string*, $token as xs:string) as xs:boolean {
  let $wanted := normalize-space($token)
  return $wanted ne '' and (some $item in $items satisfies tokenize($item) = $wanted)
};
declare %public function helve:text($item as item()) as xs:string {
  if ($item instance of xs:double)
    then let $short := helve:number($item) return if ($short eq '') then string($item) else $short
  else if ($item instance of map(*) or $item instance of array(*)) then helve:json($item)
  else if ($item instance of xs:decimal and not($item instance of xs:integer)) then helve:decimal($item)
  else string($item)
};
declare %public function helve:json($value as item()*) as xs:string {
  if (empty($value)) then 'null'
  else if (count($value) gt 1) then concat('[', string-join($value ! helve:json(.), ','), ']')
  else if ($value instance of map(*)) then concat('{', string-join(
    map:keys($value) ! concat(helve:quote(string(.)), ':', helve:json(map:get($value, .))), ','), '}')
  else if ($value instance of array(*)) then concat('[', string-join(
    (1 to array:size($value)) ! helve:json(array:get($value, .)), ','), ']')
  else if ($value instance of node()) then helve:quote(helve:xml($value))
  else if ($value instance of xs:boolean) then string($value)
  else if (($value instance of xs:decimal or $value instance of xs:double) and $value = $value
    and not(string($value) = ('INF', '-INF'))) then string($value)
  else helve:quote(string($value))
};
`;
