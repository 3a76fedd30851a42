import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { timeText } from '@tillbridge/panel-kit/format.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { clearReceipts } from '../model/actions.js';
import { panel } from '../model/model.js';
import './receipts-card.css';

/** What the receipt printer has printed, the newest first. */
export function ReceiptsCard(): JSX.Element {
  const receipts = useChosen(panel, (now) => now.receipts);
  const clear = (
    <Button size="small" kind="quiet" disabled={receipts.length === 0} onClick={clearReceipts}>
      Throw away
    </Button>
  );
  return (
    <Card title="Receipt printer" tools={clear}>
      {receipts.length === 0 ? (
        <Empty>Nothing is printed yet. Tills print ESC/POS by POST /receipts.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section class="papers" tabIndex={0} aria-label="Printed receipts">
          {receipts.map(({ number, at, lines }) => (
            <article key={number} class="paper" aria-label={`Receipt ${number}, ${timeText(at)}`}>
              {lines.map(({ text, bold }, line) => (
                <div key={line} class={bold ? 'paper-bold' : ''}>
                  {text || '\u00a0'}
                </div>
              ))}
            </article>
          ))}
        </section>
      )}
    </Card>
  );
}
