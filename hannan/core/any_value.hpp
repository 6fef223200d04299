// A value of one of a problem's own types behind one common type, so that code which only passes actions and outcomes
// on is compiled once and not for every problem.
//
// It is a buffer as well: as<T>() hands out the value it holds, to be written over, so that a loop which reads one
// outcome after another allocates nothing once the buffer has grown. Asking for another type than the held one is a
// mistake of the caller (assert); as<T>() alone may change the type. Cost: an allocation when the type changes or a
// value is copied into an empty one, a virtual call for copies and comparisons. A value is for one thread at a time, as
// any other is.
#pragma once

#include <cassert>
#include <compare>
#include <concepts>
#include <memory>
#include <utility>

namespace hannan {

namespace detail {

template <class T>
inline constexpr char kTypeMark = 0;  // its address names the type

}  // namespace detail

// The value, or nothing. Tag keeps actions and outcomes apart.
template <class Tag>
class AnyValue {
 public:
  AnyValue() = default;
  AnyValue(const AnyValue& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
  AnyValue(AnyValue&&) noexcept = default;
  // Into the value it holds, where both are of one type: a buffer that has grown is not allocated again.
  AnyValue& operator=(const AnyValue& other) {
    if (this == &other) return *this;
    if (held_ && other.held_ && held_->mark == other.held_->mark) {
      held_->assign(*other.held_);
    } else {
      held_ = other.held_ ? other.held_->copy() : nullptr;
    }
    return *this;
  }
  AnyValue& operator=(AnyValue&&) noexcept = default;
  ~AnyValue() = default;

  // One that holds this value.
  template <class T>
  static AnyValue of(T value) {
    AnyValue made;
    made.held_ = std::make_unique<Holder<T>>(std::move(value));
    return made;
  }

  bool empty() const { return held_ == nullptr; }  // holds nothing
  // The value. Requires that it holds a T.
  template <class T>
  const T& get() const {
    assert(held_ && held_->mark == &detail::kTypeMark<T>);
    return static_cast<const Holder<T>&>(*held_).value;
  }
  // The value as a buffer: T{} if it held none or another type.
  template <class T>
  T& as() {
    if (!held_ || held_->mark != &detail::kTypeMark<T>) held_ = std::make_unique<Holder<T>>(T{});
    return static_cast<Holder<T>&>(*held_).value;
  }

  // Both hold a value of the same type, which has an order.
  friend bool operator==(const AnyValue& a, const AnyValue& b) { return a.held_->compare(*b.held_) == 0; }
  friend std::weak_ordering operator<=>(const AnyValue& a, const AnyValue& b) { return a.held_->compare(*b.held_); }

 private:
  struct Base {
    explicit Base(const char* type) : mark(type) {}
    Base(const Base&) = delete;
    Base& operator=(const Base&) = delete;
    virtual ~Base() = default;
    virtual std::unique_ptr<Base> copy() const = 0;
    virtual void assign(const Base& other) = 0;  // of the same type
    virtual std::weak_ordering compare(const Base& other) const = 0;
    const char* mark;
  };
  template <class T>
  struct Holder final : Base {
    explicit Holder(T held) : Base(&detail::kTypeMark<T>), value(std::move(held)) {}
    std::unique_ptr<Base> copy() const override { return std::make_unique<Holder>(value); }
    void assign(const Base& other) override { value = static_cast<const Holder&>(other).value; }
    std::weak_ordering compare(const Base& other) const override {
      assert(other.mark == this->mark);
      if constexpr (std::totally_ordered<T>) {
        const T& its = static_cast<const Holder&>(other).value;
        if (value == its) return std::weak_ordering::equivalent;
        return value < its ? std::weak_ordering::less : std::weak_ordering::greater;
      } else {
        assert(false && "these values have no order");
        return std::weak_ordering::equivalent;
      }
    }
    T value;
  };

  std::unique_ptr<Base> held_;
};

// An action, and an outcome, of any problem.
using AnyAction = AnyValue<struct ActionTag>;
using AnyOutcome = AnyValue<struct OutcomeTag>;

}  // namespace hannan
