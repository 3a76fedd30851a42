import { Button } from '@tillbridge/panel-kit/components/button.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { CardView } from '../api/types.js';
import { renewCard, takeCard } from '../model/actions.js';
import { panel } from '../model/model.js';
import './card-tray.css';

/** The cards to choose from, and the one in hand with its counters. */
export function CardTray(): JSX.Element {
  const cards = useChosen(panel, (now) => now.cards);
  const hand = useChosen(panel, (now) => now.hand);
  const name = useId();
  return (
    <section class="tray" aria-label="Card tray">
      <CardInHand card={cards.find((card) => card.name === hand)} />
      <div class="tray-cards" role="radiogroup" aria-label="Card in hand">
        {cards.map((card) => (
          <label key={card.name} class={`plastic plastic-${colourOf(card)}`}>
            <input
              type="radio"
              name={name}
              value={card.name}
              checked={card.name === hand}
              onChange={() => takeCard(card.name)}
            />
            <span class="plastic-name">{card.name}</span>
            <span class="plastic-number">{`•••• ${card.maskedPan.slice(-4)}`}</span>
          </label>
        ))}
      </div>
    </section>
  );
}

function CardInHand({ card }: { readonly card: CardView | undefined }): JSX.Element {
  const state = useChosen(panel, (now) => now.handState?.state);
  if (!card) return <div class="hand" />;
  const { name, brand, maskedPan, expiry, description, pin } = card;
  return (
    <div class="hand">
      <h2 class="hand-name">{name}</h2>
      <p class="soft">{description}</p>
      <p class="numeric soft">
        {`${brand} ${maskedPan.replace(/(.{4})(?=.)/g, '$1 ')}, ${expiry.slice(2)}/${expiry.slice(0, 2)}`}
      </p>
      <dl class="hand-facts">
        <Fact name="PIN" value={pin ?? 'none'} />
        {state && (
          <>
            <Fact name="ATC" value={String(state.atc)} />
            <Fact name="Last online ATC" value={String(state.lastOnlineAtc)} />
            <Fact name="PIN tries left" value={String(state.pinTryCounter)} bad={state.pinTryCounter === 0} />
            {state.applicationBlocked && <Fact name="Application" value="blocked" bad />}
            {state.cardBlocked && <Fact name="Card" value="blocked" bad />}
          </>
        )}
      </dl>
      {state && (
        <div>
          <Button size="small" icon="undo" onClick={() => renewCard(name)}>
            Renew PIN tries and blocks
          </Button>
        </div>
      )}
    </div>
  );
}

function Fact({
  name,
  value,
  bad = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly bad?: boolean;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={bad ? 'hand-bad' : 'numeric'}>{value}</dd>
    </div>
  );
}

function colourOf({ brand }: CardView): string {
  const known = ['VISA', 'MASTER', 'MAESTRO', 'AMEX'].find((name) => brand.startsWith(name));
  return (known ?? 'other').toLowerCase();
}
