import { expiryOf, formattedExpiry } from '../shared/cards.js';
import type { Method } from '../shared/checkout.js';
import { element, hidden } from '../shared/dom.js';
import { brandMark, brandName } from '../shared/marks.js';
import { callHook, options as currentOptions, isOn } from '../shared/options.js';
import { billingFields } from './billing.js';
import { checkFields, refuseFields } from './check-fields.js';
import type { FormContext, PaymentForm } from './context.js';
import { type Group, group } from './group.js';
import { holderFields } from './holder-fields.js';
import { secureField } from './secure-field.js';
import { shell } from './shell.js';
import { textField } from './text-field.js';

/** Marks next to the title: as many as fit a phone. */
const MARKS_SHOWN = 3;

/** The form for cards. @param methods the cards that the shop takes, in its order */
export function cardForm(
  context: FormContext,
  methods: readonly Method[],
  framesReady: () => void,
): PaymentForm {
  const { options, language } = context;
  const { container, form, add, remove } = shell(context, { key: 'card' });
  const send = (): void => {
    if (!isOn(currentOptions().disableSubmitOnEnter, false)) context.submit(self);
  };
  const fallBack = methods[0]?.brand ?? '';

  const brand = brandChoice(context, methods, (chosen) =>
    cvv?.setLength(methods.find((method) => method.brand === chosen)?.cvvLength ?? 0),
  );
  let detected = '';
  let lastBin: string | undefined;
  let waiting = 0;
  const ready = (): void => {
    if (--waiting === 0) framesReady();
  };
  const number = secureField(context, {
    field: 'card.number',
    key: 'cardNumber',
    label: 'cardNumber',
    error: 'cardNumberError',
    brands: preferred(
      methods.map(({ brand }) => brand),
      options.brandDetectionPriority,
    ),
    mayBeEmpty: false,
    onEnter: send,
    onReady: ready,
    onBlur: (isValid) => callHook(currentOptions().onBlurCardNumber, isValid),
    onState: ({ brands, bin, isEmpty }) => {
      if (isEmpty) brand.forget();
      if (brands.join() !== detected) {
        detected = brands.join();
        callHook(currentOptions().onDetectBrand, brands, brands[0] ?? null);
        const [likeliest = fallBack] = brands;
        if (isOn(options.brandDetection, true)) brand.detect(likeliest);
      }
      if (bin !== lastBin) {
        lastBin = bin;
        if (bin !== undefined) callHook(currentOptions().onDetectBin, bin);
      }
    },
  });
  const cvv = isOn(options.requireCvv, true)
    ? secureField(context, {
        field: 'card.cvv',
        key: 'cvv',
        label: 'cvv',
        error: 'cvvError',
        brands: [],
        mayBeEmpty: isOn(options.allowEmptyCvv, false),
        onEnter: send,
        onReady: ready,
        onBlur: (isValid) => callHook(currentOptions().onBlurSecurityCode, isValid),
      })
    : undefined;
  waiting = cvv ? 2 : 1;

  const expiry = expiryField(context);
  const holder = holderFields(context);
  const billing = billingFields(context);
  // Expiry and code share a row, so that nothing stands between them.
  const fields = [number, expiry.field, ...(cvv ? [cvv] : []), ...holder.fields, ...billing];
  add(
    brand.element,
    ...fields.map((field) => field.group.element),
    expiry.month,
    expiry.year,
    ...holder.inputs,
  );
  if (cvv && isOn(options.showCVVHint, false))
    cvv.group.element.after(element('div.wpwl-hint.wpwl-hint-cvvHint', {}, language.texts.cvvHint));
  brand.detect(fallBack);

  const self: PaymentForm = {
    container,
    element: form,
    title: language.texts.card,
    marks: methods.slice(0, MARKS_SHOWN).map(({ brand }) => brand),
    brand: brand.value,
    beforeSubmit: 'onBeforeSubmitCard',
    validate: () => checkFields(fields),
    frames: () => [number.frame, ...(cvv && !cvv.isEmpty() ? [cvv.frame] : [])],
    showErrors: (names) => refuseFields(fields, names),
    clear: () => cvv?.clear(),
    remove: () => {
      number.remove();
      cvv?.remove();
      remove();
    },
  };
  return self;
}

/** The choice of a brand: from a list, or from the marks of all. @param onBrand called with the brand that is shown now */
function brandChoice(context: FormContext, methods: readonly Method[], onBrand: (brand: string) => void) {
  const { options, language } = context;
  const select = element(
    'select',
    { name: 'paymentBrand', autocomplete: 'off' },
    ...methods.map(({ brand }) => element('option', { value: brand }, brandName(brand))),
  );
  const brandGroup = group(context, { name: 'brand', label: language.texts.brand, control: select });
  const mark = element('div.wpwl-brand.wpwl-brand-card');
  brandGroup.wrapper.after(mark);
  let isChosenByHand = false;
  const choose = (brand: string): void => {
    const before = mark.dataset.brand;
    select.value = brand;
    mark.className = `wpwl-brand wpwl-brand-card wpwl-brand-${brand}`;
    mark.dataset.brand = brand;
    mark.replaceChildren(brandMark(brand));
    for (const logo of logos) logo.setAttribute('aria-pressed', String(logo.value === brand));
    onBrand(brand);
    if (before !== undefined && before !== brand) callHook(currentOptions().onChangeBrand, brand);
  };
  const chooseByHand = (brand: string): void => {
    isChosenByHand = true;
    choose(brand);
  };
  const logos = options.style === 'logos' ? logoButtons(methods, brandGroup, chooseByHand) : [];
  if (logos.length > 0) select.hidden = mark.hidden = true;
  select.addEventListener('change', () => chooseByHand(select.value));
  return {
    element: brandGroup.element,
    value: () => select.value,
    /** Chooses the brand of the number, unless the shopper has chosen. */
    detect: (brand: string): void => {
      if (!isChosenByHand) choose(brand);
    },
    /** The shopper has chosen nothing. */
    forget: (): void => {
      isChosenByHand = false;
    },
  };
}

/** The marks of all brands, to choose one by. */
function logoButtons(
  methods: readonly Method[],
  { wrapper, label }: Group,
  choose: (brand: string) => void,
): readonly HTMLButtonElement[] {
  const buttons = methods.map(({ brand }) => {
    const button = element(`button.wpwl-brand.wpwl-brand-${brand}` as 'button', {
      type: 'button',
      value: brand,
    });
    button.append(brandMark(brand));
    button.addEventListener('click', () => choose(brand));
    return button;
  });
  wrapper.append(element('div.wpwl-logos', { role: 'group', 'aria-labelledby': label.id }, ...buttons));
  return buttons;
}

/** The brands with those first that the shop prefers. */
function preferred(brands: readonly string[], priority: unknown): readonly string[] {
  const first = Array.isArray(priority) ? priority.filter((brand) => brands.includes(brand)) : [];
  return [...new Set([...first, ...brands])];
}

/** Month and year in one input, and the two parameters that they are. */
function expiryField(context: FormContext) {
  const month = hidden('card.expiryMonth');
  const year = hidden('card.expiryYear');
  const isLenient = isOn(context.options.disableCardExpiryDateValidation, false);
  const field = textField(context, {
    key: 'expiry',
    name: 'card.expiry',
    names: ['card.expiry', month.name, year.name],
    label: 'expiryDate',
    error: 'expiryError',
    isValid: (value) => {
      const read = expiryOf(value);
      return read !== undefined && (isLenient || !isPast(read));
    },
    attributes: {
      autocomplete: 'cc-exp',
      inputmode: 'numeric',
      maxlength: '9',
      ...(isOn(context.options.showPlaceholders, true) && {
        placeholder: context.language.texts.expiryFormat,
      }),
      dir: 'ltr',
    },
  });
  field.input.addEventListener('input', (event) => {
    const isDeleting = (event as InputEvent).inputType?.startsWith('delete') ?? false;
    if (field.input.selectionStart === field.input.value.length)
      field.input.value = formattedExpiry(field.input.value, isDeleting);
    const read = expiryOf(field.input.value);
    month.value = read?.month ?? '';
    year.value = read?.year ?? '';
  });
  return { field, month, year };
}

/** A card is valid to the end of its month. */
function isPast({ month, year }: { readonly month: string; readonly year: string }): boolean {
  return Date.now() >= Date.UTC(Number(year), Number(month), 1);
}
