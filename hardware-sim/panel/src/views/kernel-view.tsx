import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { Select } from '@tillbridge/panel-kit/components/field.js';
import { timeText } from '@tillbridge/panel-kit/format.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldView } from '../api/types.js';
import { panel } from '../model/model.js';
import { placeHash } from '../model/place.js';
import { spaced } from './parts/hex.js';
import './kernel-view.css';

const BITS = [8, 7, 6, 5, 4, 3, 2, 1] as const;

/** What the kernel decided: TVR, TSI and CVM results bit by bit, and why. */
export function KernelView({ id }: { readonly id: string }): JSX.Element {
  const transactions = useChosen(panel, (now) => now.transactions);
  const [chosen, setChosen] = useState('');
  const sales = useChosen(panel, (now) => now.sales);
  const place = useChosen(panel, (now) => now.place);
  const placed = sales.find((each) => each.id === place.sale)?.number;
  const last = transactions.findLast(({ sale }) => placed === undefined || sale === placed);
  const shown = transactions.find(({ number }) => String(number) === chosen) ?? last;
  if (!shown)
    return (
      <Empty>
        {placed === undefined
          ? 'The kernel has decided nothing yet.'
          : `The kernel decided nothing in sale ${placed}.`}
      </Empty>
    );
  const sale = sales.find(({ number }) => number === shown.sale);
  const options = [...transactions].reverse().map(({ number, at, application }) => ({
    value: String(number),
    label: `${number}: ${application}, ${timeText(at)}`,
  }));
  return (
    <div class="kernel">
      <Select label="Transaction" options={options} value={String(shown.number)} onChange={setChosen} />
      {sale && (
        <p>
          <a
            href={placeHash({ terminal: id, view: 'wire', sale: sale.id })}
          >{`Sale ${sale.number} on the wire`}</a>
        </p>
      )}
      <Field title="Terminal verification results (TVR, 95)" field={shown.tvr} />
      <Field title="Transaction status information (TSI, 9B)" field={shown.tsi} />
      <section aria-label="CVM results" class="kernel-field">
        <h3 class="kernel-title">
          Cardholder verification results (9F34) <code>{spaced(shown.cvmResults.value) || 'none'}</code>
        </h3>
        <p class="kernel-reasons">{shown.cvmResults.meaning.join(' · ')}</p>
      </section>
      <section aria-label="Decisions">
        <h3 class="kernel-title">Decisions in their order</h3>
        <ol class="kernel-decisions">
          {shown.decisions.map(({ topic, what, reason }, at) => (
            <li key={at}>
              <span class="kernel-topic">{topic}</span>
              <span>
                {sale ? (
                  <a
                    href={placeHash({
                      ...{ terminal: id, view: 'wire', sale: sale.id },
                      entry: { kind: 'step', number: `${shown.number}.${at + 1}` },
                    })}
                  >
                    {what}
                  </a>
                ) : (
                  <strong>{what}</strong>
                )}
                <span class="soft"> — {reason}</span>
              </span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

/** A field: its bytes as rows of bits, then each bit that is set with its reason. */
function Field({ title, field }: { readonly title: string; readonly field: FieldView }): JSX.Element {
  const bytes = [...new Set(field.bits.map(({ byte }) => byte))];
  const set = field.bits.filter((bit) => bit.set);
  return (
    <section class="kernel-field" aria-label={title}>
      <h3 class="kernel-title">
        {title} <code>{spaced(field.value)}</code>
      </h3>
      <div class="kernel-both">
        <table class="bits">
          <thead>
            <tr>
              <th scope="col">Byte</th>
              {BITS.map((bit) => (
                <th key={bit} scope="col">
                  {bit}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bytes.map((byte) => (
              <tr key={byte}>
                <th scope="row">{byte}</th>
                {BITS.map((bit) => {
                  const about = field.bits.find((each) => each.byte === byte && each.bit === bit);
                  return (
                    <td
                      key={bit}
                      class={about?.set ? 'bit-set' : about ? '' : 'bit-free'}
                      title={about?.name ?? 'Reserved'}
                    >
                      {about?.set ? 1 : 0}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
        <ul class="kernel-reasons">
          {set.length === 0 && <li class="soft">No bit is set.</li>}
          {set.map(({ byte, bit, name, reason }) => (
            <li key={name}>
              <Badge tone="neutral">{`${byte}.${bit}`}</Badge> <strong>{name}</strong>
              {reason !== undefined && <div class="soft">{reason}</div>}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
