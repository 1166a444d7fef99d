#include "src/commands/asked/asked_ledger.hpp"

#include "schema/ledger/file/database.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

AskedLedger::AskedLedger(const std::filesystem::path& database, const std::string& ledger,
                         std::optional<Watch::Seconds> timeout) {
    const std::string url = database.string();
    if (!is_postgresql_url(url)) {
        file_.emplace(open_for_reading(database));
    } else {
        const auto is_stopped = [this] { return watch_ ? watch_->must_stop() : is_interrupted(); };
        published_ = std::make_unique<PublishedLedger>(url, ledger, is_stopped);
        slice_ = std::make_unique<LedgerSlice>(published_->connection());
    }
    watch_ = std::make_unique<Watch>(this->database(), timeout);
}

void AskedLedger::need_looks() {
    if (slice_) {
        slice_->add_looks();
    }
}

void AskedLedger::need_specs(const SpecQuery& query) {
    if (slice_) {
        slice_->add_specs(query);
    }
}

void AskedLedger::need_specs(const SpecQuery& query, const Snapshot& snapshot) {
    if (slice_) {
        slice_->add_specs(query, snapshot);
    }
}

void AskedLedger::need_pair(const SnapshotPair& pair) {
    if (slice_) {
        slice_->add_pair(pair);
    }
}

AskNames AskedLedger::ask_names() {
    if (!published_) {
        return ask_names_of(database());
    }
    return [this](const std::string& sql) {
        std::vector<std::string> names;
        for (const auto& row : published_->connection().query(sql).rows) {
            names.push_back(to_text(row.at(0)));
        }
        return names;
    };
}

void AskedLedger::need_graph() {
    if (slice_) {
        slice_->add_graph();
    }
}

}  // namespace cacheledger
