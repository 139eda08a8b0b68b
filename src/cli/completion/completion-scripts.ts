/**
 * The completion script of each shell. It passes the words so far to `__complete` of the program that printed it, and offers
 * the candidates, also after npx, pnpm and yarn, unless the shell completes these itself. Another tsop, such as that of a
 * checkout around the working folder, must not run before the user presses Enter.
 */
export const completionScripts: Readonly<Record<"bash" | "zsh" | "fish" | "powershell", (program: string) => string>> =
  {
    bash: (program) => `_tsop() {
  local IFS=$'\\n' first=1 index
  if [[ \${COMP_WORDS[0]##*/} != tsop ]]; then
    for ((index = 1; index < COMP_CWORD; index++)); do [[ \${COMP_WORDS[index]} == tsop ]] && break; done
    ((first = index + 1))
    ((first <= COMP_CWORD)) || return
  fi
  COMPREPLY=($(${quote(program)} __complete -- "\${COMP_WORDS[@]:first:COMP_CWORD-first+1}" 2>/dev/null | cut -f1))
}
complete -o default -F _tsop tsop
for each in npx pnpm yarn; do complete -p $each &>/dev/null || complete -o default -F _tsop $each; done
unset each
`,
    zsh: (program) => `#compdef tsop
_tsop() {
  local line first=2
  local -a candidates
  if [[ \${words[1]:t} != tsop ]]; then
    (( first = \${words[(i)tsop]} + 1 ))
    (( first <= CURRENT )) || { _files; return }
  fi
  ${quote(program)} __complete -- "\${(@)words[first,CURRENT]}" 2>/dev/null | while IFS= read -r line; do
    line=\${line//:/\\\\:}
    candidates+=("\${line/$'\\t'/:}")
  done
  if (( \${#candidates} )); then _describe tsop candidates; else _files; fi
}
compdef _tsop tsop
() { local each; for each; do (( \${+_comps[$each]} )) || compdef _tsop $each; done } npx pnpm yarn
`,
    fish: (program) => `function __tsop_candidates
  set -l words (commandline -opc)
  set -l first 2
  if not string match -qr '(^|/)tsop$' -- $words[1]
    set -l index (contains -i -- tsop $words); or return
    set first (math $index + 1)
  end
  ${quoteForFish(program)} __complete -- $words[$first..-1] (commandline -ct) 2>/dev/null
end
complete -c tsop -a '(__tsop_candidates)'
for each in npx pnpm yarn
  complete -c $each -n 'contains -- tsop (commandline -opc)' -a '(__tsop_candidates)'
end
`,
    powershell: () => `Register-ArgumentCompleter -Native -CommandName tsop -ScriptBlock {
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

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
