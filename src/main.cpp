#include "src/command_line.hpp"

int main(int argc, char** argv) {
    return cacheledger::run_command_line({argv + 1, argv + argc});
}
