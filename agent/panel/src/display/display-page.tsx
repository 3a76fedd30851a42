import type { CustomerDisplay } from '@tillbridge/agent/display/customer-display.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Choice, Field, Form } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import '@tillbridge/panel-kit/styles/tokens.css';
import '@tillbridge/panel-kit/styles/base.css';
import './display.css';
import { AnswerMark } from '../pictures/answer-mark.js';
import { type PayWay, TerminalPicture } from '../pictures/terminal-picture.js';
import type { DisplayView, LiveDisplay } from './live-display.js';
import {
  DISPLAY_LANGUAGES,
  type DisplayLanguage,
  type DisplayTextKey,
  moneyIn,
  textIn,
  wordsOf,
} from './texts.js';

/** A text in the language of the page. */
type Say = (key: DisplayTextKey, values?: Readonly<Record<string, string>>) => string;

/** What the customer in front of a terminal sees. */
export function CustomerDisplayPage({ live }: { readonly live: LiveDisplay }): JSX.Element {
  const view = useChosen(live.view, (all) => all);
  const { language, choose } = useLanguage(view);
  const say: Say = (key, values) => textIn(language, key, values);
  useEffect(() => {
    const code = codeInAddress();
    if (code === undefined) live.start();
    else void live.signIn(code).then((fault) => fault && live.start());
  }, [live]);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.title = say('title');
  }, [language]);
  const { state, display, about } = view;
  const isIdle = display?.step === 'idle';
  const isAway = state === 'away' || state === 'connecting';
  const tone = state === 'shown' && display ? wordsOf(display.step, display.type).tone : 'neutral';
  return (
    <div class={`display display-${tone}`}>
      <header class="display-head">
        <h1 class="display-store">{about?.store.name ?? say('title')}</h1>
      </header>
      <main class="display-main">
        {state === 'out' && <Connect live={live} say={say} />}
        {isAway && <Words title={say('away')} hint={say('awayHint')} />}
        {state === 'shown' && display && isIdle && <Words title={say('welcome')} hint={undefined} isHuge />}
        {state === 'shown' && display && !isIdle && (
          <Payment display={display} deviceType={about?.deviceType ?? ''} language={language} say={say} />
        )}
      </main>
      <footer class="display-foot">
        <Choice
          label={say('languages')}
          options={LANGUAGES.map((value) => ({ value, label: DISPLAY_LANGUAGES[value].language }))}
          value={language}
          onChange={choose}
        />
      </footer>
    </div>
  );
}

const LANGUAGES = Object.keys(DISPLAY_LANGUAGES) as DisplayLanguage[];

/** The language of the store until a customer chooses another, for this payment alone. */
function useLanguage({ about, display, state }: DisplayView) {
  const [chosen, setChosen] = useState<DisplayLanguage>();
  const step = display?.step;
  const [before, setBefore] = useState(step);
  if (before !== step) {
    setBefore(step);
    if (step === 'idle') setChosen(undefined);
  }
  const own = about?.store.language ?? (state === 'shown' ? 'en' : browserLanguage());
  return { language: chosen ?? own, choose: setChosen };
}

/** Of the browser, before the store is known. */
function browserLanguage(): DisplayLanguage {
  const names = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return (
    LANGUAGES.find((each) => each === names.find((name) => Object.hasOwn(DISPLAY_LANGUAGES, name))) ?? 'en'
  );
}

function Words({
  title,
  hint,
  isHuge = false,
}: {
  readonly title: string;
  readonly hint: string | undefined;
  readonly isHuge?: boolean;
}): JSX.Element {
  return (
    <div class="display-words" role="status">
      <p class={isHuge ? 'display-title display-huge' : 'display-title'}>{title}</p>
      {hint !== undefined && <p class="display-hint">{hint}</p>}
    </div>
  );
}

/** What the customer can do with the card. */
const WAYS: Readonly<Partial<Record<CustomerDisplay['step'], readonly PayWay[]>>> = {
  'present-card': ['insert', 'tap', 'swipe'],
  'enter-pin': ['pin'],
};

const LABELS = { sale: 'toPay', refund: 'toRefund', preauthorization: 'toHold' } as const;

interface PaymentProps {
  readonly display: CustomerDisplay;
  readonly deviceType: string;
  readonly language: DisplayLanguage;
  readonly say: Say;
}

function Payment({ display, deviceType, language, say }: PaymentProps): JSX.Element {
  const { step, type = 'sale', rest, currency = '', removeCard } = display;
  const { tone, title, hint } = wordsOf(step, type);
  const hasEnded = display.shownForMs !== undefined || tone === 'good' || tone === 'bad';
  const hints = [
    hint && say(hint),
    rest && say('rest', { amount: moneyIn(language, rest, currency) }),
    removeCard && say('removeCard'),
  ].filter((each) => typeof each === 'string');
  return (
    <>
      <div class="display-picture">
        {hasEnded ? (
          <AnswerMark tone={tone} size={200} />
        ) : (
          <TerminalPicture deviceType={deviceType} size={320} ways={WAYS[step] ?? []} />
        )}
      </div>
      <div class="display-side">
        <div class="display-words" role="status">
          <p class="display-title">{say(title)}</p>
          {hints.map((text) => (
            <p key={text} class="display-hint">
              {text}
            </p>
          ))}
        </div>
        <Amounts display={display} language={language} say={say} />
      </div>
    </>
  );
}

function Amounts({ display, language, say }: Omit<PaymentProps, 'deviceType'>): JSX.Element | null {
  const { step, type = 'sale', amount, currency = '', tip, cashBack } = display;
  if (amount === undefined) return null;
  const isPaid = type === 'sale' && (step === 'approved' || step === 'part-approved');
  const parts = [
    ['tip', tip],
    ['cashBack', cashBack],
  ] as const;
  return (
    <dl class="display-amounts numeric">
      <div class="display-total">
        <dt>{say(isPaid ? 'paid' : LABELS[type])}</dt>
        <dd>{moneyIn(language, amount, currency)}</dd>
      </div>
      {parts.map(
        ([key, value]) =>
          value !== undefined && (
            <div key={key} class="display-part">
              <dt>{say(key)}</dt>
              <dd>{moneyIn(language, value, currency)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The code behind `#code=`, which reaches no server and no log; it is taken out of the address and of the history. */
function codeInAddress(): string | undefined {
  const code = /^#code=([0-9A-Za-z-]{8,9})$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname);
  return code;
}

/** The form for the one-time code of a display. */
function Connect({ live, say }: { readonly live: LiveDisplay; readonly say: Say }): JSX.Element {
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<DisplayTextKey>();
  return (
    <section class="display-connect" aria-labelledby="connect-title">
      <h2 id="connect-title">{say('title')}</h2>
      <p>{say('connectWords')}</p>
      <Form label={say('title')} onSubmit={async () => setFault(await live.signIn(code.trim()))}>
        <Field
          label={say('code')}
          value={code}
          onInput={setCode}
          autoComplete="off"
          fault={fault && say(fault)}
          required
        />
        <Button type="submit" kind="primary" size="large">
          {say('connect')}
        </Button>
      </Form>
    </section>
  );
}
