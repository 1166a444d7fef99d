# Completion of cacheledger for fish. The program itself knows what can be typed.
function __cacheledger_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string unescape 2>/dev/null; or commandline -ct | string trim --left --chars '\'"')
    set words[1] (string replace --regex '^~/' "$HOME/" -- $words[1])
    for line in ($words[1] complete -- $words[2..] "$typed" 2>/dev/null)
        switch $line
            case \tfiles
                __fish_complete_path "$typed"
            case \tfolders
                __fish_complete_directories "$typed" ''
            case '*'
                echo $line
        end
    end
end
complete -c cacheledger -f -a '(__cacheledger_complete)'
