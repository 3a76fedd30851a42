import { type AlertSourceDeps, alertSource } from '../../core/inbox/alert-source.js';
import type { InboxAction, InboxSource } from '../../core/inbox/inbox-source.js';
import { needed } from '../../kernel/http/request/valid-values.js';
import { explainDifference } from './explain-difference.js';
import { DIFFERENCE_ALERT } from './invariant-check.js';

const EXPLAIN: InboxAction = {
  name: 'explain',
  text: 'Records why the difference cannot be corrected: it is counted no more. One that is corrected ends by itself.',
  money: 'It moves no money: the difference remains.',
  right: 'operator',
  parameters: [{ name: 'note', required: true }],
};

/** The differences that the consistency check has found, those of totals and of files among them. */
export function differences(deps: AlertSourceDeps): InboxSource {
  return alertSource(deps, {
    kind: 'difference',
    codes: [DIFFERENCE_ALERT],
    about: () => ({ action: EXPLAIN }),
    act: async ({ subject: key }, { store, values }) => {
      const [kind = ''] = key.split(' ');
      const about = { kind, subject: key.slice(kind.length + 1), note: needed(values, 'note') };
      await explainDifference({ store, clock: deps.clock }, about);
      return 'cleared';
    },
  });
}
