import type { AcquirerFileRow } from '../../../kernel/store/rows.js';

/** The alert about a file that is put aside. */
export function alertOf({ acquirer, name, faults }: Pick<AcquirerFileRow, 'acquirer' | 'name' | 'faults'>) {
  const [first = ''] = JSON.parse(faults) as readonly string[];
  return { code: 'acquirer-file-quarantined', subject: `${acquirer}/${name}`, detail: first } as const;
}
