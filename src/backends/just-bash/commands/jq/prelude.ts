// Builtin functions that are defined in jq itself.

export const prelude: string = `
def map_values(f): .[] |= f;
def recurse: recurse(.[]?);
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def recurse_down: recurse;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce (.[] | [(.key // .k // .name // .Name // .Key // .K | if type != "string" then error("Cannot use \\(type) (\\(tojson)) as object key") else . end), (if has("value") then .value elif has("v") then .v elif has("Value") then .Value else .V end)]) as $x ({}; . + {($x[0]): $x[1]});
def with_entries(f): to_entries | map(f) | from_entries;
def paths: path(..) | select(length > 0);
def paths(node_filter): . as $dot | paths | select(. as $p | $dot | getpath($p) | node_filter);
def leaf_paths: paths(scalars);
def pick(pathexps): . as $top | reduce path(pathexps) as $p (null; setpath($p; $top | getpath($p)));
def add(f): reduce f as $x (null; . + $x);
def any: reduce .[] as $x (false; . or $x);
def all: reduce .[] as $x (true; . and $x);
def any(f): isempty(first(.[] | f | select(.))) | not;
def all(f): isempty(first(.[] | f | select(. | not)));
def any(generator; condition): isempty(first(generator | condition | select(.))) | not;
def all(generator; condition): isempty(first(generator | condition | select(. | not)));
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def range($from; $upto; $by): if $by > 0 then $from | while(. < $upto; . + $by) elif $by < 0 then $from | while(. > $upto; . + $by) else empty end;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else _last(limit($n + 1; f)) end;
def skip($n; f): if $n > 0 then foreach f as $x ($n; . - 1; if . < 0 then $x else empty end) else f end;
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def env: $ENV;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def match(re; mods): _match(re; mods) | .[];
def match(re): match(re; null);
def test(re): test(re; null);
def capture(re; mods): match(re; mods) | [.captures | .[] | select(.name != null) | { key: .name, value: .string }] | from_entries;
def capture(re): capture(re; null);
def scan(re; mods): match(re; "g" + mods) | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def scan(re): scan(re; null);
def splits($re; mods): split($re; mods) | .[];
def splits($re): splits($re; null);
def ascii: [.] | implode;
def _sub($re; $flags; s): . as $in | def mids: [match($re; $flags)]; reduce (mids | .[]) as $m ({parts: [""], at: 0}; . as $state | [($m | [.captures | .[] | select(.name != null) | { key: .name, value: .string }] | from_entries) | s] as $news | {parts: [$state.parts[] as $p | $news[] | $p + $in[$state.at:$m.offset] + .], at: ($m.offset + $m.length)}) | .at as $at | .parts[] + $in[$at:];
def sub($re; s; $flags): _sub($re; $flags; s);
def sub($re; s): _sub($re; null; s);
def gsub($re; s; $flags): _sub($re; $flags + "g"; s);
def gsub($re; s): _sub($re; "g"; s);
def tostream: path(def r: (.[]?|r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): { x: null, e: false } as $init | foreach f as $i ($init; if .e then $init else . end | if $i | length == 2 then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1]) else setpath(["e"]; $i[0] | length == 1) end; if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def debug(msg): (msg | debug | empty), .;
def input_line_number: _input_line_number;
def halt_error: halt_error(5);
def abs: if type == "number" and . < 0 then -. else . end;
def toarray: if type == "array" then . else [.] end;
def have_literal_numbers: true;
def have_decnum: false;
def INDEX(stream; idx_expr): reduce (stream | . as $row | idx_expr | [tostring, $row]) as $x ({}; .[$x[0]] = $x[1]);
def INDEX(idx_expr): INDEX(.[]; idx_expr);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def JOIN($idx; idx_expr): [.[] | [., $idx[idx_expr]]];
def JOIN($idx; stream; idx_expr): stream | [., $idx[idx_expr]];
def JOIN($idx; stream; idx_expr; join_expr): stream | [., $idx[idx_expr]] | join_expr;
`

/** `name/number of arguments` of each function above. */
export function preludeNames(): readonly string[] {
  const heads = prelude.matchAll(/^def (\w+)(?:\(([^)]*)\))?:/gm)
  return Array.from(heads, ([, name, parameters]) => `${name}/${parameters?.split(';').length ?? 0}`)
}
