import type { SaleProof } from './sale-proof.js';
import type { ProvenSale, RowSpan } from './verify-proof.js';

/** What a proof proves and what it does not, in sentences for a person. */
export interface ProofStatement {
  readonly proven: readonly string[];
  readonly notProven: readonly string[];
}

/** The statement of a proof that was verified; `fingerprint` is that of the gateway's key. */
export function proofStatement(
  { agentId, reference, head }: SaleProof,
  { sale, saleRows, gaps }: ProvenSale,
  fingerprint: string,
): ProofStatement {
  const signedAt = timeText(head.timeMs);
  const last = saleRows.at(-1) ?? 0;
  const covered = gaps[0] ? gaps[0].from - 1 : head.row;
  const { type, amount, approvedAmount, terminalId, acceptedAtMs, outcome, mode, paymentId } = sale;
  return {
    proven: [
      `The rows ${saleRows.join(', ')} stood in the journal of agent ${agentId}, generation ${head.generation}, before its head ${head.row}.`,
      `The gateway with the key ${fingerprint} countersigned that head on ${signedAt}.`,
      `They record the ${type} ${reference} of ${amount} on terminal ${terminalId}; the agent's clock showed ${timeText(acceptedAtMs)}.`,
      ...(approvedAmount ? [`The gateway approved ${approvedAmount}.`] : []),
      outcome
        ? `It ended as ${outcome}${mode ? ` (${mode})` : ''}${paymentId ? `, payment ${paymentId}` : ''}.`
        : 'It had no end when the proof was written.',
      `No other row of it stood in the journal up to row ${covered}.`,
    ],
    notProven: [
      ...gaps.map(
        (gap) => `Whether a row of the sale stands among rows ${spanText(gap)}: they are not shown.`,
      ),
      `What happened after head ${head.row}: a later reversal, refund or chargeback.`,
      `That the agent's clock was right, and that the rows are true: they are what the agent recorded up to row ${last}.`,
      'That the issuer or the acquirer agrees: compare the payment with their records.',
      'Who the cardholder is. The journal holds no whole card number.',
    ],
  };
}

function spanText({ from, to }: RowSpan): string {
  return from === to ? String(from) : `${from} to ${to}`;
}

function timeText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
