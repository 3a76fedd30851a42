/** What a shop may name as `wpwlOptions.style`. */
export type StyleName = 'card' | 'logos' | 'plain' | 'none';

/** What every style needs, `none` too: texts for screen readers alone, and what is not shown. */
const BASE = `
.wpwl-hidden,[hidden].wpwl-container,[hidden].wpwl-form,[hidden].wpwl-accordion,[hidden].wpwl-group,[hidden].wpwl-control,[hidden].wpwl-brand{display:none!important}
.wpwl-reader{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.wpwl-target{display:block;border:0;max-width:100%;margin:0 auto}
.wpwl-form:not(.wpwl-at-summary *) .wpwl-summary{display:none}
.wpwl-brand{width:3.5rem;height:2.25rem}
.wpwl-brand svg{display:block;width:100%;height:100%;box-shadow:0 0 0 1px light-dark(#0000,#fff4)}
.wpwl-control-iframe{width:100%;height:2.75rem}
.wpwl-sheet{width:min(26rem,100%);height:min(28rem,100%);max-width:100%;max-height:100%;margin:auto;padding:0;border:0;border-radius:.75rem;overflow:hidden}
.wpwl-sheet::backdrop{background:#0008}
.wpwl-sheet iframe{display:block;width:100%;height:100%;border:0}
.wpwl-sheet-back{position:absolute;inset-block-start:.125rem;inset-inline-end:.25rem;width:2.75rem;height:2.75rem;border:0;background:none;color:inherit;font:1.5rem/1 system-ui,sans-serif;cursor:pointer}
.wpwl-sheet-bank{width:auto;height:auto;flex-direction:column}
.wpwl-sheet-bank[open]{display:flex}
.wpwl-sheet-bank iframe{flex:1 1 auto;min-height:0;background:#fff;color-scheme:light}
.wpwl-sheet-title{flex:none;margin:0;padding:.75rem 1rem;padding-inline-end:3rem;outline:0;font:600 1.0625rem/1.5rem system-ui,sans-serif}
@media (max-width:30rem){.wpwl-sheet{margin-block-end:0;border-end-start-radius:0;border-end-end-radius:0}.wpwl-sheet-bank{margin:0;width:100%;height:100%;border-radius:0}}
.wpwl-spinner{position:absolute;inset:0;margin:auto;width:1.5rem;height:1.5rem;box-sizing:border-box;border:3px solid;border-block-start-color:transparent!important;border-radius:50%;pointer-events:none;animation:wpwl-turn 1s linear infinite}
@keyframes wpwl-turn{to{transform:rotate(1turn)}}
@media (prefers-reduced-motion:reduce){.wpwl-spinner{animation:none}}
`;

const LAYOUT = `
.wpwl-container{--wpwl-ink:light-dark(#1b2130,#eef1f7);--wpwl-soft:light-dark(#5b6475,#a9b2c3);--wpwl-line:light-dark(#8a93a3,#727c8f);--wpwl-field:light-dark(#fff,#171b24);--wpwl-accent:light-dark(#1f5fd0,#8ab4ff);--wpwl-on-accent:light-dark(#fff,#0b1220);--wpwl-wrong:light-dark(#b3261e,#ffb4ab);box-sizing:border-box;max-width:30rem;margin:0 auto 1rem;color:var(--wpwl-ink);font:1rem/1.4 system-ui,sans-serif;text-align:start}
.wpwl-container *,.wpwl-container ::before{box-sizing:border-box}
.wpwl-form{display:flex;flex-wrap:wrap;gap:0 .75rem;margin:0}
.wpwl-group{flex:1 1 100%;min-width:0;margin:0}
.wpwl-group-expiry,.wpwl-group-cvv{flex:1 1 8rem}
.wpwl-group-brand{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem}
.wpwl-group-brand .wpwl-label{flex-basis:100%}
.wpwl-group-brand .wpwl-wrapper{flex:1}
.wpwl-group-brand .wpwl-hint{flex-basis:100%;min-height:.5rem}
.wpwl-label{margin-bottom:.1875rem;color:var(--wpwl-soft);font-size:.875rem;cursor:default}
.wpwl-wrapper{position:relative}
.wpwl-control{display:block;width:100%;height:2.75rem;margin:0;padding:0 .75rem;border:1px solid var(--wpwl-line);border-radius:.375rem;background:var(--wpwl-field);color:var(--wpwl-ink);font:inherit;text-align:start}
.wpwl-control-iframe{padding:0}
.wpwl-form[dir=rtl] .wpwl-control[dir=ltr]{text-align:right}
.wpwl-control::placeholder{color:var(--wpwl-soft);opacity:1}
.wpwl-control:focus-visible,.wpwl-focus,.wpwl-button:focus-visible,.wpwl-registration:focus-within{outline:2px solid var(--wpwl-accent);outline-offset:1px}
.wpwl-has-error{border-color:var(--wpwl-wrong);box-shadow:0 0 0 1px var(--wpwl-wrong)}
.wpwl-hint{min-height:1.75rem;padding:.25rem 0;color:var(--wpwl-wrong);font-size:.8125rem;line-height:1.25rem}
.wpwl-hint-cvvHint{flex:1 1 100%;min-height:2rem;padding:0 0 .5rem;color:var(--wpwl-soft)}
.wpwl-message{flex:1 1 100%;color:var(--wpwl-wrong);min-height:1.4rem}
.wpwl-group-submit+.wpwl-message{min-height:1rem;margin-bottom:-1rem;font-size:.8125rem;line-height:1rem}
.wpwl-message-busy{color:var(--wpwl-soft)}
.wpwl-brand{flex:none}
.wpwl-button{font:inherit;cursor:pointer}
.wpwl-button-pay{width:100%;min-height:3rem;padding:.5rem 1rem;border:1px solid transparent;border-radius:.375rem;background:var(--wpwl-accent);color:var(--wpwl-on-accent);font-weight:600}
.wpwl-button-pay[disabled],.wpwl-button-pay[aria-busy=true]{opacity:.6;cursor:progress}
.wpwl-button-error{border-color:var(--wpwl-wrong)}
.wpwl-button-other,.wpwl-button-back{min-height:2.75rem;padding:0 .5rem;border:0;background:none;color:var(--wpwl-accent);text-decoration:underline}
.wpwl-button-brand{display:flex;align-items:center;justify-content:center;gap:.75rem}
.wpwl-registration{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--wpwl-line);border-radius:.375rem;cursor:pointer}
.wpwl-group-registration{margin-bottom:.5rem}
.wpwl-group-registration .wpwl-group-cvv{padding-top:.5rem}
.wpwl-group-registration.wpwl-selected .wpwl-registration{border-color:var(--wpwl-accent)}
.wpwl-wrapper-registration-details{flex:1;min-width:0;overflow-wrap:anywhere}
.wpwl-wrapper-registration-expiry,.wpwl-wrapper-registration-holder{color:var(--wpwl-soft);font-size:.875rem}
.wpwl-wrapper-registration-cvv{flex:0 0 5.5rem}
.wpwl-summary{flex:1 1 100%;display:flex;justify-content:space-between;gap:1rem;padding:.5rem 0;font-weight:600}
.wpwl-test-mode{flex:1 1 100%;padding-top:.25rem;color:var(--wpwl-soft);font-size:.8125rem}
.wpwl-wrapper-submit .wpwl-spinner{inset-inline-start:auto;inset-inline-end:1rem;color:var(--wpwl-on-accent)}
.wpwl-accordion{max-width:30rem;margin:0 auto 1rem}
.wpwl-accordion .wpwl-container{max-width:none;margin:0;padding:0;border:1px solid light-dark(#d5dae3,#343c4c);border-radius:0}
.wpwl-accordion .wpwl-container+.wpwl-container{border-block-start:0}
.wpwl-accordion .wpwl-container:first-child{border-start-start-radius:.75rem;border-start-end-radius:.75rem}
.wpwl-accordion .wpwl-container:not(:has(+.wpwl-container)){border-end-start-radius:.75rem;border-end-end-radius:.75rem}
.wpwl-form-directDebit .wpwl-group-brand{padding-bottom:.5rem}
.wpwl-accordion .wpwl-form-directDebit .wpwl-group-brand{display:none}
.wpwl-accordion .wpwl-form{padding:.25rem 1.25rem 1.25rem}
.wpwl-accordion .wpwl-test-mode{padding:.5rem 0;color:light-dark(#5b6475,#a9b2c3);font:.8125rem/1.25rem system-ui,sans-serif;text-align:center}
.wpwl-method{display:flex;align-items:center;gap:.5rem;width:100%;min-height:3rem;margin:0;padding:.25rem 1.25rem;border:0;border-radius:inherit;background:none;color:inherit;font:inherit;font-weight:600;text-align:start;cursor:pointer}
.wpwl-method[aria-expanded=true]{cursor:default}
.wpwl-method::before{content:'';flex:none;width:1.125rem;height:1.125rem;margin-inline-end:.25rem;border:1px solid var(--wpwl-line);border-radius:50%}
.wpwl-method[aria-expanded=true]::before{border:.375rem solid var(--wpwl-accent)}
.wpwl-method:focus-visible{outline:2px solid var(--wpwl-accent);outline-offset:-2px}
.wpwl-method-name{flex:1;min-width:0;overflow-wrap:anywhere}
.wpwl-method .wpwl-brand{width:2.25rem;height:1.4375rem}
.wpwl-loading{display:block;position:relative;max-width:30rem;margin:0 auto}
@media (prefers-reduced-motion:no-preference){.wpwl-button-pay{transition:opacity .15s}}
@media (forced-colors:active){.wpwl-button-pay{border-color:ButtonText}}
`;

const CARD = `
.wpwl-container{padding:1.25rem;border:1px solid light-dark(#d5dae3,#343c4c);border-radius:.75rem;background:light-dark(#f7f8fb,#1f2430)}
@media (max-width:22rem){.wpwl-container{padding:.75rem}}
`;

const LOGOS = `${CARD}
.wpwl-logos{display:flex;flex-wrap:wrap;gap:.5rem}
.wpwl-logos .wpwl-brand{padding:0;border:2px solid transparent;border-radius:.375rem;background:none;opacity:.6;cursor:pointer}
.wpwl-logos .wpwl-brand[aria-pressed=true]{border-color:var(--wpwl-accent);opacity:1}
.wpwl-logos .wpwl-brand:focus-visible{outline:2px solid var(--wpwl-accent);outline-offset:1px}
`;

const BY_NAME: Readonly<Record<StyleName, string>> = {
  card: LAYOUT + CARD,
  logos: LAYOUT + LOGOS,
  plain: LAYOUT,
  none: '',
};

/** The rules of a style; those of `card` where the shop names none that there is. */
export function stylesOf(name: unknown): string {
  const known = typeof name === 'string' && Object.hasOwn(BY_NAME, name) ? (name as StyleName) : 'card';
  return BASE + BY_NAME[known];
}
