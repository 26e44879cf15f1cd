# mutants.awk - lists mutations of the C files given, in an order drawn with a fixed seed:
#   awk -v seed=1 -v count=600 -f tools/mutants.awk FILE...
# Lines "number <tab> file <tab> line <tab> kind <tab> old text <tab> new text". The five kinds are drawn alike often: a
# comparison, an arithmetic operator, a logical operator or truth value, a constant, a dropped statement. Text in comments,
# strings and preprocessor lines is left alone. The same files give the same list with every awk.
function next_random(below) { seed = (seed * 16807) % 2147483647; return seed % below }
function blank(n,   s) { s = ""; while (n-- > 0) s = s " "; return s }
# The line with comments and strings blanked, at the same columns.
function mask(line,   out, c, two, i, n) {
  out = ""; n = length(line)
  for (i = 1; i <= n; i++) {
    c = substr(line, i, 1); two = substr(line, i, 2)
    if (in_comment) { if (two == "*/") { in_comment = 0; out = out "  "; i++ } else out = out " "; continue }
    if (two == "/*") { in_comment = 1; out = out "  "; i++; continue }
    if (two == "//") { out = out blank(n - i + 1); break }
    if (c == "\"" || c == "\047") {
      out = out "_"
      for (i++; i <= n && substr(line, i, 1) != c; i++) { if (substr(line, i, 1) == "\\") { i++; out = out "_" } out = out "_" }
      out = out "_"; continue
    }
    out = out c
  }
  return out
}
function add(kind, column, width, to) {
  size[kind]++
  of_file[kind, size[kind]] = FILENAME; of_line[kind, size[kind]] = FNR
  of_old[kind, size[kind]] = $0
  of_new[kind, size[kind]] = substr($0, 1, column - 1) to substr($0, column + width)
}
function each(kind, text, from, to,   at, rest, done) { # every place of a text
  rest = text; done = 0
  while ((at = index(rest, from)) > 0) {
    add(kind, done + at, length(from), to)
    done += at + length(from) - 1; rest = substr(text, done + 1)
  }
}
function constants(text,   rest, done, word, before, to) {
  rest = text; done = 0
  while (match(rest, /[0-9]+(\.[0-9]+)?(e-?[0-9]+)?[fu]?/)) {
    word = substr(rest, RSTART, RLENGTH); before = substr(text, done + RSTART - 1, 1)
    if (before !~ /[A-Za-z_0-9.]/ && substr(rest, RSTART + RLENGTH, 1) !~ /[A-Za-z_0-9.]/) {
      if (word ~ /[.e]/) to = word + 0 == 0 ? "1.0" (word ~ /f$/ ? "f" : "") : "(2 * " word ")"
      else to = word ~ /^0u?$/ ? "1" : "(" word " + 1)"
      add("constant", done + RSTART, RLENGTH, to)
    }
    done += RSTART + RLENGTH - 1; rest = substr(text, done + 1)
  }
}
function balanced(text,   i, c, open) {
  open = 0
  for (i = 1; i <= length(text); i++) { c = substr(text, i, 1); if (c == "(") open++; if (c == ")") open-- }
  return open == 0
}
BEGIN {
  kinds = split("comparison arithmetic logic constant statement", kind_name, " ")
  parts = split("comparison# < # <= #comparison# <= # < #comparison# > # >= #comparison# >= # > #comparison# == # != #" \
    "comparison# != # == #arithmetic# + # - #arithmetic# - # + #arithmetic# * # / #arithmetic# / # * #" \
    "arithmetic# += # -= #arithmetic# -= # += #logic# && # || #logic# || # && #logic#true#false#logic#false#true#" \
    "logic#if (!#if (", swap, "#")
}
FNR == 1 { in_comment = 0; ended = 1 }
{
  text = mask($0)
  code = text; gsub(/ +$/, "", code)
  if (code ~ /^ *#/ || code ~ /^ *$/) next
  for (i = 1; i + 2 <= parts; i += 3) each(swap[i], text, swap[i + 1], swap[i + 2])
  if (code !~ /^(typedef|enum|struct)/) constants(text)
  if (ended && balanced(code) && (code ~ /^ +[A-Za-z_][A-Za-z_0-9]*((->|\.)[A-Za-z_0-9]+|\[[^]]*\])* [-+*\/|&^]?= .*;$/ || code ~ /^ +[a-z_0-9]+\(.*\);$/)) {
    match(code, /[^ ]/)
    add("statement", RSTART, length(code) - RSTART + 1, ";")
  }
  ended = code ~ /[;{}:]$/
}
END {
  for (n = 1; n <= count; n++) {
    kind = kind_name[1 + next_random(kinds)]
    if (!size[kind]) continue
    k = 1 + next_random(size[kind])
    if ((kind, k) in drawn) { n--; continue }
    drawn[kind, k] = 1
    printf "%d\t%s\t%d\t%s\t%s\t%s\n", n, of_file[kind, k], of_line[kind, k], kind, of_old[kind, k], of_new[kind, k]
  }
}
