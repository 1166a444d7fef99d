# Completion of cacheledger for bash. The program itself knows what can be typed.
_cacheledger() {
    local line program=$1
    [[ $program == "~/"* ]] && program=$HOME/${program#"~/"}
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            $'\tfiles') compopt -o default ;;
            $'\tfolders') compopt -o dirnames ;;
            *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("$program" complete --line "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -F _cacheledger cacheledger
