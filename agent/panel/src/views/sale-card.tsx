import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Technical } from '@tillbridge/panel-kit/components/technical.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Sale, Terminal } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { SALE_STEPS, STEP_NAMES, stepOf } from '../model/sale-steps.js';
import {
  hasEnded,
  isCancellable,
  isReferral,
  saleAmount,
  saleWords,
  saysMore,
  typeText,
} from '../model/sale-words.js';
import { shownSale } from '../model/store-view.js';
import { terminalLabel } from '../model/terminal-label.js';
import { AnswerMark } from '../pictures/answer-mark.js';
import { type PayWay, TerminalPicture } from '../pictures/terminal-picture.js';
import { t } from '../texts/texts.js';
import { acting } from './acting.js';
import { FaultNote } from './fault-note.js';
import { Say } from './say.js';
import { StartForm } from './start-form.js';
import { Waiting } from './waiting.js';

/** What happens on one terminal. */
interface SaleCardProps {
  readonly store: LiveStore;
  readonly terminal: Terminal;
  /** Opens a sale with all that can be done with it. */
  readonly onOpen: (reference: string) => void;
}

/** The sale of a terminal: to be started, running, or answered. */
export function SaleCard({ store, terminal, onOpen }: SaleCardProps): JSX.Element {
  const sale = useChosen(store.view, (view) => shownSale(view, terminal.id));
  const isOthers = terminal.runningReference !== undefined && sale?.reference !== terminal.runningReference;
  const phase = isOthers ? 'other' : sale === undefined ? 'start' : hasEnded(sale) ? 'answered' : 'running';
  const card = useFocusKept(phase);
  return (
    <section
      class="card sale-card"
      aria-label={terminalLabel(terminal)}
      data-terminal={terminal.id}
      tabIndex={-1}
      ref={card}
    >
      {phase === 'other' && <OtherSale terminal={terminal} />}
      {phase === 'start' && <StartForm store={store} terminal={terminal} />}
      {phase === 'answered' && sale && (
        <AnsweredSale store={store} terminal={terminal} sale={sale} onOpen={onOpen} />
      )}
      {phase === 'running' && sale && <RunningSale store={store} terminal={terminal} sale={sale} />}
    </section>
  );
}

/**
 * Where the button with the focus is gone with the former phase, the focus stays in this part of the page: at the amount, or at the whole, so
 * that no key presses a button that the cashier did not choose.
 */
function useFocusKept(phase: string): RefObject<HTMLElement | null> {
  const part = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    (part.current?.querySelector<HTMLElement>('.start-amount') ?? part.current)?.focus({
      preventScroll: true,
    });
  }, [phase]);
  return part;
}

function OtherSale({ terminal }: { readonly terminal: Terminal }): JSX.Element {
  return (
    <div class="sale-stage">
      <TerminalPicture deviceType={terminal.deviceType} size={150} />
      <div class="sale-words">
        <p class="sale-answer">{t('inUse')}</p>
        <p class="soft">{t('inUseWords')}</p>
      </div>
    </div>
  );
}

interface OneSaleProps {
  readonly store: LiveStore;
  readonly terminal: Terminal;
  readonly sale: Sale;
}

/** What the customer can do with the card at a step of the terminal. */
const WAYS: Readonly<Record<string, readonly PayWay[]>> = {
  'waiting-for-card': ['insert', 'tap', 'swipe'],
  'pin-entry': ['pin'],
  'remove-card': ['remove'],
};

function RunningSale({ store, terminal, sale }: OneSaleProps): JSX.Element {
  const progress = useChosen(store.view, (view) => view.progress[terminal.id]);
  const { step, text } = stepOf(sale, progress);
  const isOwn = progress?.reference === sale.reference;
  const ways = (isOwn ? WAYS[progress.step] : undefined) ?? [];
  const { tone, say } = saleWords(sale);
  return (
    <>
      <div class="sale-stage">
        <TerminalPicture deviceType={terminal.deviceType} size={190} ways={ways} />
        <div class="sale-words">
          <p class="soft">
            {typeText(sale.type)} · {terminalLabel(terminal)}
          </p>
          <p class="sale-amount numeric">{saleAmount(sale)}</p>
          <p class={`sale-step tone-${tone}`} role="status">
            {t(text)}
          </p>
          {step === 'answer' && <Waiting store={store} sale={sale} />}
          {ways.includes('insert') && <p class="soft">{t('insertTapSwipe')}</p>}
          {isOwn && progress.text !== undefined && (
            <p class="soft">{t('terminalShows', { text: progress.text })}</p>
          )}
          {(sale.state === 'unknown' || sale.state === 'reversing') && <Technical text={sale.cashierText} />}
          {(sale.state === 'unknown' || sale.state === 'reversing') && <Say text={say} />}
        </div>
      </div>
      <ol class="steps" aria-label={t('stepsOfSale')}>
        {SALE_STEPS.map((each) => (
          <li
            key={each}
            class={SALE_STEPS.indexOf(each) < SALE_STEPS.indexOf(step) ? 'step step-past' : 'step'}
            aria-current={each === step ? 'step' : undefined}
          >
            {t(STEP_NAMES[each])}
          </li>
        ))}
      </ol>
      <div class="sale-actions">
        {isCancellable(sale) && (
          <Button
            size="large"
            icon="stop"
            label={t('cancelSale')}
            onClick={() => acting(() => store.act(store.client.cancel(sale.reference)))}
          >
            {t('cancel')}
          </Button>
        )}
        {!isCancellable(sale) && (
          <Button size="large" onClick={() => store.putAway(terminal.id)}>
            {t('leaveRunning')}
          </Button>
        )}
      </div>
    </>
  );
}

function AnsweredSale({
  store,
  terminal,
  sale,
  onOpen,
}: OneSaleProps & { readonly onOpen: (reference: string) => void }): JSX.Element {
  const { tone, answer, say, todo } = saleWords(sale, terminalLabel(terminal));
  return (
    <>
      <div class={`sale-stage answered answered-${tone}`}>
        <AnswerMark tone={tone} />
        <div class="sale-words">
          <p class="sale-answer numeric" role="status">
            {answer}
          </p>
          {todo === undefined && saysMore(sale) && <Technical text={sale.cashierText} />}
          {todo !== undefined && (
            <FaultNote todo={todo} detail={sale.outcome === 'approved' ? undefined : technicalText(sale)} />
          )}
          {terminal.runningReference === undefined && terminal.state === 'busy' && (
            <p class="soft">{t('cardOut')}</p>
          )}
          <Say text={say} />
        </div>
      </div>
      <div class="sale-actions">
        <Button size="large" icon="receipt" onClick={() => onOpen(sale.reference)}>
          {t(isReferral(sale) ? 'enterApprovalCode' : 'detailsAndReceipt')}
        </Button>
        <Button size="large" kind="primary" icon="plus" onClick={() => store.putAway(terminal.id)}>
          {t('newSale')}
        </Button>
      </div>
    </>
  );
}

/** What the agent wrote of a sale, in English. */
export function technicalText({ cashierText, timeline }: Sale): string {
  return [cashierText, timeline.at(-1)?.detail].filter(Boolean).join(' ');
}
