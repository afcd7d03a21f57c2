
// ---------------------------------------------------------------- calls of one thread, each at its own time

class Agenda {
    struct Item {
        Ns instant;                     // if `after` is given, from its end on
        int job, row;
        const End* after;
        std::function<void()> call;
    };
    std::vector<Item> items;

public:
    // A call at an instant.
    void at(Ns instant, int job, int row, std::function<void()> call) { items.push_back({instant, job, row, nullptr, std::move(call)}); }

    // A call some time after an end.
    void after(const End& end, Ns later, int job, int row, std::function<void()> call) {
        items.push_back({later, job, row, &end, std::move(call)});
    }

    // Makes all calls. Whether something is complete is asked every 2 us at most, as asking keeps the driver from launches.
    void run() {
        Ns look = 0;
        while (!items.empty()) {
            Item* due = nullptr;
            for (Item& item : items) {
                if (item.after || item.instant > now()) continue;
                if (!due || std::tie(item.instant, item.job, item.row) < std::tie(due->instant, due->job, due->row)) due = &item;
            }
            if (due) {
                const auto call = std::move(due->call);
                items.erase(items.begin() + (due - items.data()));
                call();
            } else if (now() >= look) {
                for (Item& item : items) {
                    if (!item.after || !item.after->is_complete()) continue;
                    item.instant += now();
                    item.after = nullptr;
                }
                look = now() + 2'000;
            }
        }
    }
};
