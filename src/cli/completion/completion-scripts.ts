/** The completion script of each shell. It passes the words so far to `tsop __complete` and offers the candidates. */
export const completionScripts: Readonly<Record<"bash" | "zsh" | "fish" | "powershell", string>> = {
  bash: `_tsop() {
  local IFS=$'\\n'
  COMPREPLY=($(tsop __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _tsop tsop
`,
  zsh: `#compdef tsop
_tsop() {
  local line
  local -a candidates
  tsop __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null | while IFS= read -r line; do
    line=\${line//:/\\\\:}
    candidates+=("\${line/$'\\t'/:}")
  done
  if (( \${#candidates} )); then _describe tsop candidates; else _files; fi
}
compdef _tsop tsop
`,
  fish: `complete -c tsop -a '(tsop __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
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
