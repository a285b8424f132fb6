#pragma once
/// Whole numbers of any size in decimal digits: arithmetic of another base than the one it checks.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lw::test {

class Decimal {
public:
    explicit Decimal(std::int64_t value = 0) {
        for (; value > 0; value /= 10) digits_.push_back(value % 10);
    }
    /// Binary digits, the highest first.
    static Decimal of_binary(const std::vector<std::int64_t>& bits) {
        Decimal number;
        for (const auto bit : bits) number = number * Decimal(2) + Decimal(bit);
        return number;
    }
    friend Decimal operator+(const Decimal& a, const Decimal& b) {
        Decimal sum = a;
        sum.digits_.resize(std::max(a.digits_.size(), b.digits_.size()));
        for (std::size_t i = 0; i < b.digits_.size(); ++i) sum.digits_[i] += b.digits_[i];
        return sum.carried();
    }
    friend Decimal operator*(const Decimal& a, const Decimal& b) {
        Decimal product;
        product.digits_.resize(a.digits_.size() + b.digits_.size());
        for (std::size_t i = 0; i < a.digits_.size(); ++i)
            for (std::size_t j = 0; j < b.digits_.size(); ++j) product.digits_[i + j] += a.digits_[i] * b.digits_[j];
        return product.carried();
    }
    friend bool operator==(const Decimal& a, const Decimal& b) { return a.digits_ == b.digits_; }
    friend bool operator<(const Decimal& a, const Decimal& b) {
        if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size();
        return std::lexicographical_compare(a.digits_.rbegin(), a.digits_.rend(), b.digits_.rbegin(), b.digits_.rend());
    }

private:
    Decimal carried() {
        std::int64_t carry = 0;
        for (auto& digit : digits_) {
            carry += digit;
            digit = carry % 10;
            carry /= 10;
        }
        for (; carry > 0; carry /= 10) digits_.push_back(carry % 10);
        while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
        return *this;
    }
    std::vector<std::int64_t> digits_;  ///< the lowest first, no leading zeros; 0 has none
};

}  // namespace lw::test
