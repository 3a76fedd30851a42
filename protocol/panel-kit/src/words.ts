/** The texts of the components themselves, in English. */
export const COMPONENT_WORDS = {
  close: 'Close',
  back: 'Back',
  dismiss: 'Dismiss',
  messages: 'Messages',
  colours: 'Colours',
  asTheSystem: 'As the system',
  light: 'Light',
  dark: 'Dark',
  details: 'Details',
};

type ComponentWords = Readonly<Record<keyof typeof COMPONENT_WORDS, string>>;

let words: ComponentWords = COMPONENT_WORDS;

/** The words in the language of the page; default: English. */
export function componentWords(): ComponentWords {
  return words;
}

/** Gives the components the words of another language, before anything is drawn. */
export function sayWith(others: ComponentWords): void {
  words = others;
}
