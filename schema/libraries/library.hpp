#pragma once

#include <atomic>

namespace cacheledger {

/// A shared library that is opened when one of its functions is first called. The program is not
/// linked with it: a question that needs neither HTTP nor git nor PostgreSQL would otherwise load
/// these libraries, and some thirty that they need, before it begins.
///
/// The libraries are opened by name, and not through modules of the program's own, so that nothing
/// has to be installed beside the program.
struct Library {
    const char* file;     ///< as dlopen() takes it; load_on_demand() of CMake says what
    const char* purpose;  ///< for the message: "git repositories are read with it"

    /// The address of a function. Opens the library and never closes it. Throws UsageError, one
    /// line, if there is no such library or function.
    void* find(const char* function) const;
};

/// A function of a library. It is called like the function itself, whose name it has, and whose
/// address it finds at the first call. Several threads may call it. It throws what Library::find()
/// throws, so that the first function of a library that is called must not be one that frees.
template <typename Function>
class LibraryFunction {
  public:
    constexpr LibraryFunction(const Library& library, const char* name)
        : library_(library), name_(name) {}

    /// What makes it callable.
    operator Function*() const {
        void* found = address_.load(std::memory_order_acquire);
        if (found == nullptr) {
            found = library_.find(name_);
            address_.store(found, std::memory_order_release);
        }
        return reinterpret_cast<Function*>(found);
    }

  private:
    const Library& library_;
    const char* name_;
    mutable std::atomic<void*> address_ = nullptr;
};

}  // namespace cacheledger

/// Declares a function of a library by its own name. In the namespace cacheledger this name hides
/// that of the header, so calls are written as ever.
// NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared
#define CACHELEDGER_ON_DEMAND(library, function)                                           \
    inline constinit const ::cacheledger::LibraryFunction<decltype(::function)> function { \
        library, #function                                                                 \
    }
// NOLINTEND(bugprone-macro-parentheses)
