// Sets of floors, kept beside the learners: as rows of the table of learners, with a name that no learner may have.
#include <utility>

#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace {

std::string row_name(const std::string& set) { return std::string(kSetPrefix) + set; }

}  // namespace

void Host::keep_set(const StoredLearner& stored) {
  const std::lock_guard lock(entries_mutex_);
  sets_[stored.name.substr(kSetPrefix.size())] = stored;
}

// Any thread; the text is parsed anew each time, since files of floors are cached by their readers.
Json Host::find_set(const std::string& name) const {
  const std::lock_guard lock(entries_mutex_);
  const auto found = sets_.find(name);
  if (found == sets_.end())
    throw Error(Code::kUndefined, "found no set of floors of this name, expected one; make it with PUT", "set");
  return parse_json(found->second.config);
}

// Written first and shown after it, as learners are. Making it again replaces its rules.
void Host::make_set(std::string name, const Json& set, Answer<Made> answer) {
  add_task<Made>(
      row_name(name),
      [this, name, text = dump(set)] {
        StoredLearner stored;
        bool known = false;
        {
          const std::lock_guard lock(entries_mutex_);
          const auto found = sets_.find(name);
          known = found != sets_.end();
          if (known) stored = found->second;
        }
        stored.config = text;
        if (known) {
          store_->change_learner(stored);
        } else {
          stored.name = row_name(name);
          stored.status = std::string(kSetStatus);
          stored.created = now_in_milliseconds();
          stored.id = store_->add_learner(stored);
        }
        keep_set(stored);
        return known ? Made::kSame : Made::kNew;
      },
      std::move(answer));
}

void Host::end_set(std::string name, Answer<bool> answer) {
  add_task<bool>(
      row_name(name),
      [this, name] {
        find_set(name);  // which throws where there is none
        std::int64_t id = 0;
        {
          const std::lock_guard lock(entries_mutex_);
          id = sets_.at(name).id;
        }
        purge_whole(*store_, id);
        const std::lock_guard lock(entries_mutex_);
        sets_.erase(name);
        return true;
      },
      std::move(answer));
}

}  // namespace hannan::detail::service
