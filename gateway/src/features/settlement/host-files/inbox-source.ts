import { type AlertSourceDeps, alertSource } from '../../../core/inbox/alert-source.js';
import type { InboxAction, InboxSource } from '../../../core/inbox/inbox-source.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import { needed } from '../../../kernel/http/request/valid-values.js';
import { settleAcquirerFile } from './administer-files.js';

const SETTLE: InboxAction = {
  name: 'resolve',
  text: 'Has the file imported again with the next look, once the cause is gone, or drops it.',
  money:
    'Retry counts what the file has as settled or charged back. Drop moves no money: nothing of the file ever counts.',
  right: 'operator',
  parameters: [
    { name: 'decision', required: true, values: ['retry', 'drop'] },
    { name: 'note', required: false },
  ],
};

/** Files of acquirers that were put aside. */
export function quarantinedFiles(deps: AlertSourceDeps): InboxSource {
  return alertSource(deps, {
    kind: 'acquirer-file',
    codes: ['acquirer-file-quarantined'],
    about: () => ({ action: SETTLE }),
    act: async ({ subject }, { store, values }) => {
      const decision = needed(values, 'decision');
      const [acquirer = ''] = subject.split('/');
      const name = subject.slice(acquirer.length + 1);
      const file = await store.get('acquirerFiles', [acquirer, name]);
      if (decision === 'retry' && file?.state === 'due') return file.state;
      if (decision !== 'retry' && decision !== 'drop') throw refusal(decision, 'must be retry or drop');
      try {
        const to =
          decision === 'retry'
            ? ({ state: 'due' } as const)
            : { state: 'dropped' as const, note: needed(values, 'note') };
        return (await settleAcquirerFile({ store, clock: deps.clock }, [acquirer, name], to)).state;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        throw refusal(decision, error.message);
      }
    },
  });
}

function refusal(value: string, message: string): RequestRefused {
  return new RequestRefused('inbox-refused', [{ name: 'decision', value, message }]);
}
