// What a C++ schema calls: compiled into the programs that hold a schema, ahead of its files, and
// into no others. Such a program behaves exactly as the original while `selected` is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace capra_mut {

inline constexpr std::size_t kMostMutants = 16'383;

extern std::uint32_t selected;            ///< the mutant that is planted, 0 for none
extern std::uint64_t steps;               ///< places of mutants that were passed
extern std::uint64_t step_limit;          ///< more are not taken
extern bool reached[kMostMutants + 1];    ///< by number: its place was passed
extern bool not_built[kMostMutants + 1];  ///< by number: it does not compile

/// Exit status of a process that took too many steps.
inline constexpr int kStopped = 99;
extern void (*before_stop)();  ///< called first, if there is one

/// Called when `steps` exceeds `step_limit`; ends the process.
[[noreturn]] void stop();

/// Passes the place of a mutant; true if it is the selected one.
[[gnu::always_inline]] inline bool on(std::uint32_t number) {
    if (++steps > step_limit) [[unlikely]]
        stop();
    reached[number] = true;
    return number == selected;
}

/// Marks a mutant that does not compile, as the program starts.
struct NotBuilt {
    explicit NotBuilt(std::uint32_t number) { not_built[number] = true; }
};
template <std::uint32_t Number>
inline const NotBuilt kNotBuilt{Number};

/// The result of Original, or that of the selected one of the Mutants, which are numbered from
/// Number on. Operands are evaluated once, by the caller.
template <std::uint32_t Number, typename Result, typename Original, typename Mutant,
          typename... Mutants>
struct Choice {
    template <typename... Operands>
    [[gnu::always_inline]] static Result of(Operands&&... operands) {
        if constexpr (std::is_invocable_r_v<Result, Mutant, Operands...>) {
            if (on(Number))
                return static_cast<Result>(Mutant{}(std::forward<Operands>(operands)...));
        } else {
            static_cast<void>(&kNotBuilt<Number>);
        }
        if constexpr (sizeof...(Mutants) == 0)
            return Original{}(std::forward<Operands>(operands)...);
        else
            return Choice<Number + 1, Result, Original, Mutants...>::of(
                std::forward<Operands>(operands)...);
    }
};

/// One step of `Original op operands` with its mutants.
template <std::uint32_t Number, typename Original, typename... Mutants, typename... Operands>
[[gnu::always_inline]] inline auto operate(Operands&&... operands)
    -> std::invoke_result_t<Original, Operands...> {
    return Choice<Number, std::invoke_result_t<Original, Operands...>, Original, Mutants...>::of(
        std::forward<Operands>(operands)...);
}

#define CAPRA_MUT_BINARY(name, op)                                  \
    struct name {                                                   \
        template <typename A, typename B>                           \
        [[gnu::always_inline]] auto operator()(A&& a, B&& b) const  \
            -> decltype(std::forward<A>(a) op std::forward<B>(b)) { \
            return std::forward<A>(a) op std::forward<B>(b);        \
        }                                                           \
    };
CAPRA_MUT_BINARY(Equal, ==)
CAPRA_MUT_BINARY(Unequal, !=)
CAPRA_MUT_BINARY(Less, <)
CAPRA_MUT_BINARY(LessEqual, <=)
CAPRA_MUT_BINARY(Greater, >)
CAPRA_MUT_BINARY(GreaterEqual, >=)
CAPRA_MUT_BINARY(Add, +)
CAPRA_MUT_BINARY(Subtract, -)
CAPRA_MUT_BINARY(Multiply, *)
CAPRA_MUT_BINARY(Divide, /)
CAPRA_MUT_BINARY(Modulo, %)
CAPRA_MUT_BINARY(ShiftLeft, <<)
CAPRA_MUT_BINARY(ShiftRight, >>)
CAPRA_MUT_BINARY(And, &)
CAPRA_MUT_BINARY(Or, |)
CAPRA_MUT_BINARY(Xor, ^)
CAPRA_MUT_BINARY(AddTo, +=)
CAPRA_MUT_BINARY(SubtractFrom, -=)
CAPRA_MUT_BINARY(MultiplyBy, *=)
CAPRA_MUT_BINARY(DivideBy, /=)
CAPRA_MUT_BINARY(ModuloBy, %=)
CAPRA_MUT_BINARY(ShiftLeftBy, <<=)
CAPRA_MUT_BINARY(ShiftRightBy, >>=)
CAPRA_MUT_BINARY(AndWith, &=)
CAPRA_MUT_BINARY(OrWith, |=)
CAPRA_MUT_BINARY(XorWith, ^=)
#undef CAPRA_MUT_BINARY

#define CAPRA_MUT_PREFIX(name, op)                                                               \
    struct name {                                                                                \
        template <typename A>                                                                    \
        [[gnu::always_inline]] auto operator()(A&& a) const -> decltype(op std::forward<A>(a)) { \
            return op std::forward<A>(a);                                                        \
        }                                                                                        \
    };
CAPRA_MUT_PREFIX(Plus, +)
CAPRA_MUT_PREFIX(Minus, -)
CAPRA_MUT_PREFIX(Complement, ~)
#undef CAPRA_MUT_PREFIX

/// Op with its operands exchanged.
template <typename Op>
struct Swapped {
    template <typename A, typename B>
    [[gnu::always_inline]] auto operator()(A&& a, B&& b) const -> std::invoke_result_t<Op, B, A> {
        return Op{}(std::forward<B>(b), std::forward<A>(a));
    }
};

template <typename T>
concept Whole =
    std::is_integral_v<std::remove_cvref_t<T>> && !std::is_same_v<std::remove_cvref_t<T>, bool>;

/// Op with one more on its right, a whole number.
template <typename Op>
struct RightPlus {
    template <typename A, Whole B>
    [[gnu::always_inline]] auto operator()(A&& a, B&& b) const {
        return Op{}(std::forward<A>(a), b + 1);
    }
};

/// Op with one less on its right, a whole number.
template <typename Op>
struct RightMinus {
    template <typename A, Whole B>
    [[gnu::always_inline]] auto operator()(A&& a, B&& b) const {
        return Op{}(std::forward<A>(a), b - 1);
    }
};

}  // namespace capra_mut
