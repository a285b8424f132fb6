# The texts that the demo models were trained on. Fetching them is nice to have: the program works without.
# shellcheck shell=bash

DEMO_CORPORA=(en-prose en-drama)

data_folder() { printf '%s' "${LENGTHWISE_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/lengthwise}"; }

ensure_corpora() {
  local name output
  for name in "${DEMO_CORPORA[@]}"; do
    if [ -e "$(data_folder)/corpora/$name/MANIFEST.tsv" ]; then
      say "corpus     $name there"
    elif output="$("$ROOT/scripts/fetch_corpus" "$name" 2>&1)"; then
      say "corpus     $name fetched"
    else
      say "corpus     $name not fetched, the sample texts serve instead: $(tail -1 <<<"$output")"
    fi
  done
}
