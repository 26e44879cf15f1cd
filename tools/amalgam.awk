# amalgam.awk - joins C files into one, each header once, where it is first included:
#   awk -v kind=header|four|avx2|avx512 -f tools/amalgam.awk FILE...
# A name that a file keeps to itself (a static, a type, a constant of an enum) gets the name of its file behind it when another
# file has it, too, or a header, or when it is a word that a C library might have. Macros of a file end with it. Headers
# without a guard, and scalar.h, whose names are those of the wider lanes, belong to each file that includes them. The names
# are found by the shape of declarations; what is told apart by the compiler alone (a tag and a function of one name in one
# file) is not, and would not compile.
BEGIN {
  width["four"] = 4; width["avx2"] = 8; width["avx512"] = 16
  split("base/simd/scalar.h", word, " ")
  for (i in word) of_its_own["src/" word[i]] = 1
  stops_gcc["src/guide/tree/rules.c"] = 1 # as in cmake/core.cmake
  n = split("auto break case char const continue default do double else enum extern float for goto if inline int long register " \
            "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool bool", word, " ")
  for (i = 1; i <= n; i++) keyword[word[i]] = 1
  begin_text()
  units = ARGC - 1
  for (unit = 1; unit <= units; unit++) { load(file[unit] = ARGV[unit]); if (!is_shared(file[unit])) find_unit(unit, file[unit]) }
  for (header in loaded) if (is_shared(header)) find_names(header, 0)
  choose_names()
  for (unit = 1; unit <= units; unit++)
    if (is_shared(file[unit])) once(file[unit]); else { begin_unit(file[unit]); emit(file[unit], unit); end_unit(unit) }
  end_text()
  exit bad
}
function complain(text) { print "amalgam: " text > "/dev/stderr"; bad = 1 }
function say(text) {
  if (text ~ /^[ \t]*$/) { blank = 1; return }
  if (blank) print ""
  blank = 0
  print text
}

# ---- reading

function load(path,   n, text, name) {
  if (path in loaded) return
  loaded[path] = 1
  while ((got = (getline text < path)) > 0) { sub(/\r$/, "", text); line[path, ++n] = text }
  if (got < 0) { complain("cannot read " path); exit 1 }
  close(path)
  lines[path] = n
  for (i_load[path] = 1; i_load[path] <= n; i_load[path]++) {
    text = line[path, i_load[path]]
    name = included(text, path)
    if (name != "") { load(name); continue }
    if (text ~ /^#ifndef .*_H$/ && !(path in guard) && line[path, i_load[path] + 1] ~ /^#define .*_H$/) guard[path] = i_load[path]
  }
}
# The file that a line includes, or "": public headers are named from include or beside each other, others from src.
function included(text, from,   name) {
  if (!match(text, /^[ \t]*#[ \t]*include[ \t]*["<]/)) return ""
  name = text
  gsub(/^[^"<]*["<]|[">].*$/, "", name)
  if (name ~ /^throng\//) return "include/" name
  if (text ~ /</) return ""
  if (from ~ /^include\//) { sub(/[^\/]*$/, "", from); name = from name; sub(/[^\/]+\/\.\.\//, "", name); return name }
  return "src/" name
}
function is_shared(path) { return path ~ /\.h$/ && (path in guard) && !(path in of_its_own) }
function is_public(path) { return path ~ /^include\// }
# Lanes of another width are never compiled in this text.
function is_foreign(path) {
  return path ~ /simd\/(four|plain|avx2|avx512)\.h$/ && (path ~ /(four|plain)\.h$/ ? "four" : path ~ /avx2/ ? "avx2" : "avx512") != kind
}

# ---- tokens: next_token() cuts one from `rest` into `token`; comments and strings are tokens of their own

function next_token(   two) {
  if (in_comment) {
    if (match(rest, /\*\//)) { in_comment = 0; return cut(RSTART + 1, "c") }
    return cut(length(rest), "c")
  }
  if (match(rest, /^[A-Za-z_][A-Za-z0-9_]*/)) return cut(RLENGTH, "i")
  if (match(rest, /^[ \t]+/)) return cut(RLENGTH, "c")
  if (match(rest, /^\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*/)) return cut(RLENGTH, "n")
  if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/)) return cut(RLENGTH, "n")
  two = substr(rest, 1, 2)
  if (two == "//") return cut(length(rest), "c")
  if (two == "/*") { in_comment = 1; token = "/*"; sort_of = "c"; rest = substr(rest, 3); return 1 }
  return cut(two == "->" ? 2 : 1, "o")
}
function cut(n, sort) { token = substr(rest, 1, n); rest = substr(rest, n + 1); sort_of = sort; return 1 }

# ---- the names of a file

function find_unit(unit, path,   i, name) { # with the headers that are its own
  for (i = 1; i <= lines[path]; i++) {
    name = included(line[path, i], path)
    if (name != "" && !is_shared(name) && !is_public(name)) find_unit(unit, name)
  }
  find_names(path, unit)
}
function find_names(path, unit,   i, text, directive, name) {
  depth = in_comment = 0
  forget()
  for (i = 1; i <= lines[path]; i++) {
    text = line[path, i]
    if (directive || (!in_comment && text ~ /^[ \t]*#/)) {
      if (!directive && match(text, /^[ \t]*#[ \t]*define[ \t]+[A-Za-z0-9_]+/)) {
        name = text
        sub(/^[ \t]*#[ \t]*define[ \t]+/, "", name); sub(/[^A-Za-z0-9_].*$/, "", name)
        if (unit) macro_of[unit, name] = 1; else common_macro[name] = 1
        find_members(path, i, unit, name)
      }
      if (!directive && text ~ /^[ \t]*#[ \t]*undef/) { name = text; sub(/^.*undef[ \t]+/, "", name); sub(/[^A-Za-z0-9_].*$/, "", name); delete common_macro[name] }
      directive = text ~ /\\$/
      continue
    }
    for (rest = text; rest != "";) { next_token(); if (sort_of != "c") declare(unit) }
  }
  if (depth) complain(path ": braces do not match")
}
# Arguments of a macro that are members, or become text: calls keep them.
function find_members(path, at, unit, name,   text, param, count, k) {
  for (text = line[path, at]; text ~ /\\$/; text = substr(text, 1, length(text) - 1) " " line[path, ++at]) ;
  if (text !~ "define[ \t]+" name "\\(") return
  sub(/^[^(]*\(/, "", text)
  count = split(substr(text, 1, index(text, ")") - 1), param, /[ \t]*,[ \t]*/)
  text = substr(text, index(text, ")") + 1) " "
  for (k = 1; k <= count; k++) place[param[k]] = k
  for (rest = text; rest != ""; old = sort_of == "c" ? old : token) {
    next_token()
    if (sort_of != "c") follow_call(unit)
    if ((token in place) && (old ~ /^(#|\.|->)$/ || rest ~ /^[ \t]*##/ || is_member(unit)))
      member_at[unit, name, place[token]] = takes_members[unit, name] = 1
  }
  for (k = 1; k <= count; k++) delete place[param[k]]
}
function forget() { is_static = is_type = pending = noted = parens = 0; first = last = pointer = tag = before = "" }
function note(name, unit) {
  if (name == "" || name in keyword) return
  if (unit) { if (!((unit, name) in own)) { own[unit, name] = 1; owners[name]++ } } else common[name] = 1
}
# One token of a declaration at file scope; inside braces only their kind, and the constants of an enum, matter.
function declare(unit) {
  if (depth) {
    if (token == "{") braces[++depth] = "i"
    else if (token == "}") { if (--depth == 0 && braces[1] == "f") forget() }
    else if (depth == 1 && braces[1] == "e") {
      if (token == "(") parens++; else if (token == ")") parens--
      if (sort_of == "i" && !parens && (before == "{" || before == ",")) note(token, unit)
    }
    before = token
    return
  }
  if (sort_of == "i") {
    if (!parens && (token == "static" || token == "typedef")) { forget(); is_static = token == "static"; is_type = !is_static }
    else if (token ~ /^(struct|union|enum)$/) { if (!parens) pending = token }
    else if (parens) { if (before == "*" && pointer == "" && token != "const") pointer = token; else if (before == "const" && pointer == "?") pointer = token }
    else if (pending != "" && before == pending) tag = token
    else last = token
    if (parens && before == "*" && token == "const") pointer = "?"
  } else if (token == "(" || token == "[") {
    if (token == "(" && !parens && first == "") { first = last; if (rest !~ /^[ \t]*\*/) pointer = "-" }
    parens++
  } else if (token == ")" || token == "]") parens--
  else if (parens) ;
  else if (token == "{") {
    if (pending != "" && (before == tag || before == pending)) { if (tag != "") note(tag, unit); braces[depth = 1] = pending == "enum" ? "e" : "s" }
    else if (before == "=" || noted) braces[depth = 1] = "i"
    else { if (is_static || !unit) note(first, unit); braces[depth = 1] = "f" }
  } else if (token == "=" || token == "," || token == ";") {
    if (!noted && (is_static || is_type)) {
      if (is_type || first == "" || pointer != "-") note(pointer != "" && pointer != "-" && pointer != "?" ? pointer : first != "" ? first : last, unit)
      else note(first, unit)
    } else if (!noted && !unit) note(first, unit)
    noted = token == "="
    if (token == ",") first = pointer = ""
    if (token == ";") forget()
  }
  before = token
}
# Renames what is not alone, and words without "_", which systems might have.
function choose_names(   pair, part, name, new, at, base) {
  for (pair in macro_of) {
    split(pair, part, SUBSEP)
    if (part[2] in common_macro && part[2] != "WIN32_LEAN_AND_MEAN") complain(file[part[1]] ": a header has the macro " part[2])
  }
  for (pair in own) {
    split(pair, part, SUBSEP)
    name = part[2]
    if (name in common_macro || ((part[1], name) in macro_of) || (owners[name] == 1 && (name ~ /^th_/ || (name ~ /_/ && !(name in common))))) continue
    base = file[part[1]]
    sub(/^src\//, "", base); sub(/(\.lanes)?\.c$/, "", base); gsub(/\//, "_", base)
    if (file[part[1]] ~ /\.lanes\.c$/) base = base "_lanes"
    renamed[part[1], name] = name "_" base
  }
}

# ---- writing

function emit(path, unit,   i, text, name, parts, directive, end) {
  if (path in guard) for (end = lines[path]; line[path, end] !~ /^#[ \t]*endif/; end--) ;
  in_comment = 0
  say("")
  for (i = 1; i <= lines[path]; i++) {
    text = line[path, i]
    if ((path in guard) && is_shared(path) && (i == guard[path] || i == guard[path] + 1 || i == end)) continue
    if (text ~ /^#ifndef _GNU_SOURCE/) { i += 2; continue }
    if (text ~ /^#define _GNU_SOURCE/) continue
    if (text ~ /^[ \t]*#[ \t]*include/) { include(text, path, unit); continue }
    if (text ~ /^[ \t]*#[ \t]*if/) conditions++
    if (text ~ /^[ \t]*#[ \t]*endif/) conditions--
    say(is_shared(path) ? text : renaming(text, unit))
  }
}
function include(text, path, unit,   name, shut) {
  name = included(text, path)
  if (name == "") {
    if (text in said) return
    if (!conditions) said[text] = 1
    say(text)
  } else if (is_public(name) && kind != "header") return
  else if (is_foreign(name)) return
  else if (!is_shared(name)) emit(name, unit)
  else once(name)
}
function once(header) { if (!(header in emitted)) { emitted[header] = 1; emit(header, 0); say("") } }
# A line with the names of its file. Members keep theirs: after "." and "->", and where a struct declares them.
function renaming(text, unit,   out, is_define, list) {
  if (!continued && !in_comment && text ~ /^[ \t]*#/) {
    in_directive = 1
    params = ""
    if (match(text, /#[ \t]*define[ \t]+[A-Za-z0-9_]+\([^)]*\)/)) {
      params = substr(text, RSTART, RLENGTH)
      sub(/^[^(]*\(/, ",", params); sub(/\)$/, ",", params); gsub(/[ \t]/, "", params)
    }
  } else if (!continued) in_directive = 0
  continued = in_directive && text ~ /\\$/
  out = ""
  for (rest = text; rest != "";) {
    next_token()
    if (sort_of == "i" && ((unit, token) in renamed) && !keeps(unit)) out = out renamed[unit, token]
    else out = out token
    if (sort_of == "c") continue
    follow_call(unit)
    if (!in_directive) {
      if (token == "{") { level++; is_struct[level] = (older ~ /^(struct|union)$/ || old ~ /^(struct|union)$/) }
      else if (token == "}") level--
    }
    older = old; old = token
  }
  return out
}
# Where in calls of macros with members this token stands.
function follow_call(unit) {
  if (token == "(") {
    nest++
    if (old == "offsetof" || ((unit, old) in takes_members) || ((0, old) in takes_members)) {
      call[++calls] = nest; macro[calls] = old; argument[calls] = 1
    }
  } else if (token == "," && calls && nest == call[calls]) argument[calls]++
  else if (token == ")") { if (calls && nest == call[calls]) calls--; nest-- }
}
function is_member(unit) {
  if (!calls) return 0
  if (macro[calls] == "offsetof") return argument[calls] == 2
  return ((unit, macro[calls], argument[calls]) in member_at) || ((0, macro[calls], argument[calls]) in member_at)
}
function keeps(unit) {
  if (is_member(unit)) return 1
  if (old == "." || old == "->") return 1
  if (in_directive) return index(params, "," token ",") > 0
  if (level && is_struct[level]) return rest ~ /^[ \t]*([;,:]|\[)/ || (old == "*" && older == "(")
  return 0
}
# gcc before 13 ends with an internal error when it vectorises such a file for ARM64.
function begin_unit(path) {
  if (!(path in stops_gcc)) return
  say("\n#if defined(__aarch64__) && !defined(__clang__) && __GNUC__ < 13")
  say("#pragma GCC push_options\n#pragma GCC optimize(\"no-tree-vectorize\")\n#define TH_POP_OPTIONS\n#endif")
}
function end_unit(unit,   pair, part, n, i, name) {
  for (pair in macro_of) {
    split(pair, part, SUBSEP)
    if (part[1] == unit && part[2] !~ /^_GNU_SOURCE$/) name[++n] = part[2]
  }
  for (i = 1; i <= n; i++) for (j = i; j > 1 && name[j] < name[j - 1]; j--) { part[1] = name[j]; name[j] = name[j - 1]; name[j - 1] = part[1] }
  for (i = 1; i <= n; i++) say("#undef " name[i])
  if (file[unit] in stops_gcc) say("#ifdef TH_POP_OPTIONS\n#pragma GCC pop_options\n#undef TH_POP_OPTIONS\n#endif")
}
function begin_text() {
  if (kind == "header") {
    print "/* throng.h - the public headers of Throng's core in one file, made by ./dev amalgam. MIT licence. */"
    print "#ifndef THRONG_AMALGAM_H\n#define THRONG_AMALGAM_H\n\n#ifndef TH_STATIC\n#define TH_STATIC\n#endif"
    return
  }
  print "/* throng" (kind == "four" ? "" : "_" kind) ".c - Throng's core in one file, made by ./dev amalgam. MIT licence."
  print " *"
  if (kind == "four") {
    print " *   cc -O3 -c throng.c          C17 and extensions of gcc or clang; programs link -lm and threads (-lpthread)"
    print " *"
    print " * Four lanes on any processor. For those of AVX2 and AVX-512, too: throng_avx2.c and throng_avx512.c beside it, and"
    print " * TH_WIDER defined for all three. TH_NO_THREADS takes the threads away. Results are the same. */"
    print "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif"
  } else {
    print " * The kernels for " (kind == "avx2" ? "AVX2" : "AVX-512") ", chosen when the program runs. Empty unless TH_WIDER is defined, as throng.c then wants it. */"
    print "#ifdef TH_WIDER"
  }
  print "#ifdef __FAST_MATH__\n#error \"Throng needs arithmetic as it is written: without -ffast-math\"\n#endif"
  print "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#elif defined(__GNUC__)"
  print "#pragma GCC optimize(\"fp-contract=off\", \"no-math-errno\")\n#endif"
  print "#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n#endif"
  if (kind == "avx2") targets("__AVX2__", "avx2", "avx2")
  if (kind == "avx512") targets("__AVX512VL__", "avx512f,avx512dq,avx512bw,avx512vl", "avx512f,avx512dq,avx512bw,avx512vl")
  print "#define TH_LANES " width[kind] "\n#define TH_ISA " kind "\n#include \"throng.h\""
}
function targets(has, gcc, clang) {
  print "#if !defined(" has ") && defined(__clang__)"
  print "#pragma clang attribute push(__attribute__((target(\"" clang "\"))), apply_to = function)\n#define TH_POP"
  print "#elif !defined(" has ")\n#pragma GCC target(\"" gcc "\")\n#endif"
}
function end_text() {
  if (kind == "header") print "\n#endif"
  else if (kind != "four") print "\n#ifdef TH_POP\n#pragma clang attribute pop\n#endif\n#endif"
}
