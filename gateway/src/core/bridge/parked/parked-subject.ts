import type { ParkedRow } from '../../../kernel/store/rows.js';

/** Subject of the alert about a parked message. */
export function parkedSubject({ agentId, messageId }: Pick<ParkedRow, 'agentId' | 'messageId'>): string {
  return `${agentId}/${messageId}`;
}

/** The key of the message that an alert is about; an id of an agent has no slash. */
export function parkedKey(subject: string): readonly [agentId: string, messageId: string] {
  const at = subject.indexOf('/');
  return [subject.slice(0, at), subject.slice(at + 1)];
}
