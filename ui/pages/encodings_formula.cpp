/// See encodings_formula.h.
#include "ui/pages/encodings_formula.h"

#include <QStringView>

namespace lw::ui {

namespace {

constexpr QStringView kLowered = u"₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ";
constexpr QStringView kLoweredPlain = u"0123456789+−aehijklmnoprstuvx";
constexpr QStringView kRaised = u"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿ";
constexpr QStringView kRaisedPlain = u"0123456789+−Tn";

bool isGreek(QChar c) { return c.unicode() >= 0x370 && c.unicode() < 0x400; }
bool isLetter(QChar c) { return (c.unicode() < 0x80 && c.isLetter()) || isGreek(c); }

class Typesetter {
public:
    explicit Typesetter(QStringView text) : m_text(text) {}

    QString html() {
        QString out;
        while (m_at < m_text.size()) out += next();
        return out;
    }

private:
    QString next() {
        const QChar c = m_text[m_at];
        if (kLowered.contains(c)) return run(kLowered, kLoweredPlain, u"sub");
        if (kRaised.contains(c)) return run(kRaised, kRaisedPlain, u"sup");
        if (c == u'^' && m_at > 0) return script(u"sup");
        if (c == u'_' && m_at > 0 && m_text[m_at - 1] != u' ') return script(u"sub");
        if (isLetter(c)) return word();
        ++m_at;
        return QString(c).toHtmlEscaped();
    }

    static QString tagged(QStringView tag, const QString& content) { return QStringLiteral("<%1>%2</%1>").arg(tag, content); }

    /// Neighbouring small characters become one index; letters among them are set as letters.
    QString run(QStringView small, QStringView plain, QStringView tag) {
        QString content;
        while (m_at < m_text.size() && small.contains(m_text[m_at])) content += plain[small.indexOf(m_text[m_at++])];
        return tagged(tag, Typesetter(content).html());
    }

    /// After ^ or _: a bracket and all that is in it (the bracket itself goes, the height says enough), or a word or number.
    QString script(QStringView tag) {
        ++m_at;
        const qsizetype begin = m_at;
        if (m_at < m_text.size() && (m_text[m_at] == u'(' || m_text[m_at] == u'{')) {
            m_at = closing();
            const bool closed = m_at > begin + 1 && (m_text[m_at - 1] == u')' || m_text[m_at - 1] == u'}');
            return tagged(tag, Typesetter(m_text.sliced(begin + 1, m_at - begin - (closed ? 2 : 1))).html());
        }
        while (m_at < m_text.size() && (m_text[m_at].isLetterOrNumber() || (m_text[m_at] == u'.' && m_at + 1 < m_text.size() && m_text[m_at + 1].isDigit()))) ++m_at;
        return tagged(tag, Typesetter(m_text.sliced(begin, m_at - begin)).html());
    }

    /// Behind the bracket that closes the one here; the end of the text where none does.
    [[nodiscard]] qsizetype closing() const {
        int depth = 0;
        for (qsizetype at = m_at; at < m_text.size(); ++at) {
            if (m_text[at] == u'(' || m_text[at] == u'{') ++depth;
            if (m_text[at] == u')' || m_text[at] == u'}') --depth;
            if (depth == 0) return at + 1;
        }
        return m_text.size();
    }

    /// One letter is a quantity, several are a name; the signs of sum and product stand upright.
    QString word() {
        const qsizetype begin = m_at;
        while (m_at < m_text.size() && isLetter(m_text[m_at])) ++m_at;
        const QString letters = m_text.sliced(begin, m_at - begin).toString().toHtmlEscaped();
        return m_at - begin == 1 && letters != u"Σ" && letters != u"Π" ? tagged(u"i", letters) : letters;
    }

    QStringView m_text;
    qsizetype m_at = 0;
};

}  // namespace

QString formulaHtml(const QString& formula) { return Typesetter(formula).html(); }

}  // namespace lw::ui
