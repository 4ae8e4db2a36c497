#include "jobs/completion/scripts.h"

#include <array>
#include <utility>

namespace trawl {

namespace {

constexpr std::string_view kBash =
    R"script(# Completion of trawl for bash, 4.4 or newer. To have it in every shell, write it to
# ~/.local/share/bash-completion/completions/trawl, or source it: . <(trawl completion bash)
_trawl() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~\//$HOME/}
  local line rest= kind before value kept candidate
  type -P -- "$program" > /dev/null || program=trawl
  if [[ -n ${COMP_LINE-} ]]; then
    line=${COMP_LINE:0:COMP_POINT}
    rest=${COMP_LINE:COMP_POINT}
    word=${word%"${rest%%[[:space:]]*}"}
  else
    local IFS=' '
    line="${COMP_WORDS[*]:0:COMP_CWORD+1}"
    line=${line// = /=}
    line=${line/% =/=}
  fi
  COMPREPLY=()
  {
    IFS= read -r kind && IFS= read -r before && IFS= read -r value && IFS= read -r kept || return 0
    while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done
  } < <(command "$program" completion words bash "$line" "$rest" "$word" 2> /dev/null < /dev/null)
  case $kind in
    files*) rest=-f ;;
    folders*) rest=-d ;;
    *) rest= ;;
  esac
  if [[ -n $rest ]]; then
    compopt -o filenames 2> /dev/null
    while IFS= read -r candidate; do
      candidate=$before$candidate
      COMPREPLY+=("${candidate#"$kept"}")
    done < <(compgen "$rest" -- "$value" 2> /dev/null)
  fi
  if [[ $kind == *open ]]; then compopt -o nospace 2> /dev/null; fi
  return 0
}
complete -o nosort -F _trawl trawl 2> /dev/null || complete -F _trawl trawl
)script";

constexpr std::string_view kZsh = R"script(#compdef trawl
# Completion of trawl for zsh. To have it in every shell, write it to a file _trawl in a folder that is in $fpath before
# compinit, or source it after compinit: source <(trawl completion zsh)
_trawl() {
  local program=${words[1]/#\~\//$HOME/} line kind before
  local -a answer described
  whence -p -- "$program" > /dev/null || program=trawl
  answer=("${(@f)$(command "$program" completion words zsh $((CURRENT - 1)) "${(@)words[2,CURRENT-1]}" "$PREFIX" \
    "${(@)words[CURRENT+1,-1]}" 2> /dev/null < /dev/null)}")
  (( $#answer >= 3 )) || return 1
  kind=$answer[1] before=$answer[2]
  for line in "${(@)answer[5,-1]}"; do
    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  local -a rest
  [[ $kind == *open ]] && rest=(-S '')
  local found=1
  (( $#described )) && _describe -V trawl described "${(@)rest}" && found=0
  if [[ $kind == files* || $kind == folders* ]]; then
    [[ -n $before ]] && compset -P "${(b)before}"
    if [[ $kind == folders* ]]; then
      _files -/ && found=0
    else
      _files && found=0
    fi
  fi
  return found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _trawl "$@"
else
  compdef _trawl trawl
fi
)script";

constexpr std::string_view kFish =
    R"script(# Completion of trawl for fish. To have it in every shell, write it to ~/.config/fish/completions/trawl.fish, or source
# it: trawl completion fish | source
function __trawl_complete
    set -l program (commandline -opc)[1]
    test -n "$program"; or return
    set program (string replace -r '^~/' "$HOME/" -- $program)
    command -sq -- $program; or set program trawl
    set -l line (commandline -cp | string collect)
    set -l begin (math 1 + (string length -- "$line"))
    set -l rest (commandline -p | string collect | string sub -s $begin | string collect)
    set -l answer (command $program completion words fish "$line" "$rest" 2>/dev/null </dev/null)
    test (count $answer) -ge 3; or return
    test (count $answer) -ge 5; and printf '%s\n' $answer[5..-1]
    if string match -q -r '^(files|folders)' -- $answer[1]
        set -l path (string escape -- $answer[3])
        string match -q '~/*' -- $answer[3]; and set path '~/'(string escape -- (string sub -s 3 -- $answer[3]))
        set -l found (complete -C "'' $path")
        string match -q 'folders*' -- $answer[1]; and set found (string match -r '.*/(?=$|\t).*' -- $found)
        test (count $found) -gt 0; and printf '%s\n' $answer[2]$found
    end
end
complete -c trawl -f -k -a '(__trawl_complete)'
)script";

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kScripts = {
    {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}}};

}  // namespace

std::vector<std::string> CompletionShells() {
  std::vector<std::string> shells;
  for (const auto& [shell, script] : kScripts) shells.emplace_back(shell);
  return shells;
}

std::string_view CompletionScript(std::string_view shell) {
  for (const auto& [name, script] : kScripts) {
    if (name == shell) return script;
  }
  return "";
}

}  // namespace trawl
