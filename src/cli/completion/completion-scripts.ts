/**
 * The completion script of each shell. It passes the words so far to `tsop __complete` and offers the candidates. After
 * npx, pnpm and yarn it asks the project's tsop, unless the shell completes these programs itself.
 */
export const completionScripts: Readonly<Record<"bash" | "zsh" | "fish" | "powershell", string>> = {
  bash: `_tsop() {
  local IFS=$'\\n' program=\${COMP_WORDS[0]} first=1 index
  if [[ \${program##*/} != tsop ]]; then
    for ((index = 1; index < COMP_CWORD; index++)); do [[ \${COMP_WORDS[index]} == tsop ]] && break; done
    ((first = index + 1))
    ((first <= COMP_CWORD)) || return
    program=$PWD
    while [[ -n $program && ! -x $program/node_modules/.bin/tsop ]]; do program=\${program%/*}; done
    program=$program/node_modules/.bin/tsop
  fi
  COMPREPLY=($("$program" __complete -- "\${COMP_WORDS[@]:first:COMP_CWORD-first+1}" 2>/dev/null | cut -f1))
}
complete -o default -F _tsop tsop
for each in npx pnpm yarn; do complete -p $each &>/dev/null || complete -o default -F _tsop $each; done
unset each
`,
  zsh: `#compdef tsop
_tsop() {
  local line program=$words[1] first=2
  local -a candidates
  if [[ \${program:t} != tsop ]]; then
    (( first = \${words[(i)tsop]} + 1 ))
    (( first <= CURRENT )) || { _files; return }
    program=$PWD
    while [[ -n $program && ! -x $program/node_modules/.bin/tsop ]]; do program=\${program%/*}; done
    program=$program/node_modules/.bin/tsop
  fi
  $program __complete -- "\${(@)words[first,CURRENT]}" 2>/dev/null | while IFS= read -r line; do
    line=\${line//:/\\\\:}
    candidates+=("\${line/$'\\t'/:}")
  done
  if (( \${#candidates} )); then _describe tsop candidates; else _files; fi
}
compdef _tsop tsop
() { local each; for each; do (( \${+_comps[$each]} )) || compdef _tsop $each; done } npx pnpm yarn
`,
  fish: `function __tsop_candidates
  set -l words (commandline -opc)
  set -l program $words[1]
  set -l first 2
  if not string match -qr '(^|/)tsop$' -- $program
    set -l index (contains -i -- tsop $words); or return
    set first (math $index + 1)
    set program $PWD
    while test -n "$program"; and not test -x $program/node_modules/.bin/tsop
      set program (string replace -r '/[^/]*$' '' -- $program)
    end
    set program $program/node_modules/.bin/tsop
  end
  $program __complete -- $words[$first..-1] (commandline -ct) 2>/dev/null
end
complete -c tsop -a '(__tsop_candidates)'
for each in npx pnpm yarn
  complete -c $each -n 'contains -- tsop (commandline -opc)' -a '(__tsop_candidates)'
end
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName tsop -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  tsop __complete -- @words | ForEach-Object {
    $word, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $text)
  }
}
`,
};
