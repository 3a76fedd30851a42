import type { DisplayStep } from '@tillbridge/agent/display/customer-display.js';
import { amountText } from '@tillbridge/panel-kit/format.js';

/** English: the keys of all languages. What stands in braces is put in. */
const EN = {
  language: 'English',
  languages: 'Language',
  title: 'Customer display',
  welcome: 'Welcome',
  toPay: 'To pay',
  toRefund: 'Refund',
  toHold: 'To be reserved',
  paid: 'Paid',
  tip: 'Tip',
  cashBack: 'Cash back',
  rest: 'Still to pay: {amount}',
  preparing: 'One moment, please',
  presentCard: 'Insert, tap or swipe your card',
  leaveCard: 'Please leave your card in',
  enterPin: 'Enter your PIN on the terminal',
  waiting: 'Waiting for your bank',
  waitingHint: 'Please leave your card in.',
  findingOut: 'We are waiting for your bank',
  findingOutHint: 'Please wait a moment.',
  approved: 'Thank you',
  approvedHint: 'The payment went through.',
  heldHint: 'The amount is reserved.',
  partApproved: 'Your card paid a part',
  refunded: 'You get your money back',
  refundedHint: 'It is on your card within a few days.',
  declined: 'Declined',
  declinedHint: 'Nothing was charged. Would you like to try another card?',
  cancelled: 'Cancelled',
  nothingCharged: 'Nothing was charged.',
  nothingGivenBack: 'Nothing was given back.',
  reversing: 'This payment does not count',
  reversingHint: 'Nothing will stay charged.',
  reversed: 'Taken back',
  reversedHint: 'The payment will not stay on your statement.',
  notCompleted: 'Not completed',
  askStaff: 'Please speak to our staff',
  removeCard: 'Please take out your card.',
  away: 'One moment, please',
  awayHint: 'The connection to the till is being restored.',
  connectWords:
    'Open “Customer display” on the till. Scan its picture with this device, or enter the code here.',
  code: 'Code',
  connect: 'Connect',
  codeWrong: 'This code is not known here, or it was used. Have the till make a new one.',
  notReached: 'The till was not reached. Try again.',
};

/** What stands on a display. */
export type DisplayTextKey = keyof typeof EN;
type Texts = Readonly<Record<DisplayTextKey, string>>;

const DE: Texts = {
  language: 'Deutsch',
  languages: 'Sprache',
  title: 'Kundenanzeige',
  welcome: 'Willkommen',
  toPay: 'Zu zahlen',
  toRefund: 'Erstattung',
  toHold: 'Zu reservieren',
  paid: 'Bezahlt',
  tip: 'Trinkgeld',
  cashBack: 'Bargeldauszahlung',
  rest: 'Noch zu zahlen: {amount}',
  preparing: 'Einen Moment bitte',
  presentCard: 'Karte einstecken, vorhalten oder durchziehen',
  leaveCard: 'Bitte Karte stecken lassen',
  enterPin: 'PIN am Terminal eingeben',
  waiting: 'Ihre Bank wird gefragt',
  waitingHint: 'Bitte Karte stecken lassen.',
  findingOut: 'Wir warten auf Ihre Bank',
  findingOutHint: 'Bitte einen Moment Geduld.',
  approved: 'Vielen Dank',
  approvedHint: 'Die Zahlung ist erfolgt.',
  heldHint: 'Der Betrag ist reserviert.',
  partApproved: 'Ihre Karte hat einen Teil bezahlt',
  refunded: 'Sie bekommen Ihr Geld zurück',
  refundedHint: 'In wenigen Tagen ist es auf Ihrer Karte.',
  declined: 'Abgelehnt',
  declinedHint: 'Es wurde nichts belastet. Möchten Sie eine andere Karte versuchen?',
  cancelled: 'Abgebrochen',
  nothingCharged: 'Es wurde nichts belastet.',
  nothingGivenBack: 'Es wurde nichts erstattet.',
  reversing: 'Diese Zahlung zählt nicht',
  reversingHint: 'Es bleibt nichts belastet.',
  reversed: 'Zurückgenommen',
  reversedHint: 'Die Zahlung bleibt nicht auf Ihrem Kontoauszug.',
  notCompleted: 'Nicht abgeschlossen',
  askStaff: 'Bitte wenden Sie sich an unser Personal',
  removeCard: 'Bitte Karte entnehmen.',
  away: 'Einen Moment bitte',
  awayHint: 'Die Verbindung zur Kasse wird wiederhergestellt.',
  connectWords:
    'Öffnen Sie an der Kasse „Kundenanzeige“. Scannen Sie das Bild mit diesem Gerät, oder geben Sie den Code hier ein.',
  code: 'Code',
  connect: 'Verbinden',
  codeWrong:
    'Dieser Code ist hier nicht bekannt oder schon benutzt. Lassen Sie die Kasse einen neuen machen.',
  notReached: 'Die Kasse war nicht erreichbar. Versuchen Sie es noch einmal.',
};

const ES: Texts = {
  language: 'Español',
  languages: 'Idioma',
  title: 'Pantalla del cliente',
  welcome: 'Bienvenidos',
  toPay: 'A pagar',
  toRefund: 'Devolución',
  toHold: 'A reservar',
  paid: 'Pagado',
  tip: 'Propina',
  cashBack: 'Efectivo',
  rest: 'Queda por pagar: {amount}',
  preparing: 'Un momento, por favor',
  presentCard: 'Introduzca, acerque o deslice su tarjeta',
  leaveCard: 'Deje la tarjeta insertada',
  enterPin: 'Introduzca su PIN en el terminal',
  waiting: 'Esperando a su banco',
  waitingHint: 'Deje la tarjeta insertada.',
  findingOut: 'Estamos esperando a su banco',
  findingOutHint: 'Espere un momento, por favor.',
  approved: 'Gracias',
  approvedHint: 'El pago se ha realizado.',
  heldHint: 'El importe está reservado.',
  partApproved: 'Su tarjeta ha pagado una parte',
  refunded: 'Le devolvemos su dinero',
  refundedHint: 'Estará en su tarjeta en unos días.',
  declined: 'Rechazado',
  declinedHint: 'No se ha cobrado nada. ¿Quiere probar con otra tarjeta?',
  cancelled: 'Cancelado',
  nothingCharged: 'No se ha cobrado nada.',
  nothingGivenBack: 'No se ha devuelto nada.',
  reversing: 'Este pago no cuenta',
  reversingHint: 'No se quedará nada cobrado.',
  reversed: 'Anulado',
  reversedHint: 'El pago no quedará en su extracto.',
  notCompleted: 'No completado',
  askStaff: 'Diríjase a nuestro personal',
  removeCard: 'Retire su tarjeta, por favor.',
  away: 'Un momento, por favor',
  awayHint: 'Se está restableciendo la conexión con la caja.',
  connectWords:
    'Abra «Pantalla del cliente» en la caja. Escanee su imagen con este dispositivo o introduzca aquí el código.',
  code: 'Código',
  connect: 'Conectar',
  codeWrong: 'Este código no se conoce aquí o ya se usó. Pida uno nuevo en la caja.',
  notReached: 'No se ha podido contactar con la caja. Inténtelo de nuevo.',
};

const FR: Texts = {
  language: 'Français',
  languages: 'Langue',
  title: 'Affichage client',
  welcome: 'Bienvenue',
  toPay: 'À payer',
  toRefund: 'Remboursement',
  toHold: 'À réserver',
  paid: 'Payé',
  tip: 'Pourboire',
  cashBack: 'Retrait d’espèces',
  rest: 'Reste à payer : {amount}',
  preparing: 'Un instant, s’il vous plaît',
  presentCard: 'Insérez, approchez ou glissez votre carte',
  leaveCard: 'Veuillez laisser votre carte',
  enterPin: 'Saisissez votre code sur le terminal',
  waiting: 'En attente de votre banque',
  waitingHint: 'Veuillez laisser votre carte.',
  findingOut: 'Nous attendons votre banque',
  findingOutHint: 'Un instant, s’il vous plaît.',
  approved: 'Merci',
  approvedHint: 'Le paiement est effectué.',
  heldHint: 'Le montant est réservé.',
  partApproved: 'Votre carte a payé une partie',
  refunded: 'Vous êtes remboursé',
  refundedHint: 'Le montant sera sur votre carte sous quelques jours.',
  declined: 'Refusé',
  declinedHint: 'Rien n’a été débité. Voulez-vous essayer une autre carte ?',
  cancelled: 'Annulé',
  nothingCharged: 'Rien n’a été débité.',
  nothingGivenBack: 'Rien n’a été remboursé.',
  reversing: 'Ce paiement ne compte pas',
  reversingHint: 'Rien ne restera débité.',
  reversed: 'Annulé',
  reversedHint: 'Le paiement ne restera pas sur votre relevé.',
  notCompleted: 'Non terminé',
  askStaff: 'Adressez-vous à notre personnel',
  removeCard: 'Veuillez retirer votre carte.',
  away: 'Un instant, s’il vous plaît',
  awayHint: 'La connexion à la caisse est en cours de rétablissement.',
  connectWords:
    'Ouvrez « Affichage client » sur la caisse. Scannez son image avec cet appareil, ou saisissez le code ici.',
  code: 'Code',
  connect: 'Connecter',
  codeWrong: 'Ce code n’est pas connu ici, ou il a déjà servi. Demandez-en un nouveau à la caisse.',
  notReached: 'La caisse n’a pas été jointe. Réessayez.',
};

const IT: Texts = {
  language: 'Italiano',
  languages: 'Lingua',
  title: 'Display cliente',
  welcome: 'Benvenuti',
  toPay: 'Da pagare',
  toRefund: 'Rimborso',
  toHold: 'Da riservare',
  paid: 'Pagato',
  tip: 'Mancia',
  cashBack: 'Contante',
  rest: 'Ancora da pagare: {amount}',
  preparing: 'Un momento, prego',
  presentCard: 'Inserire, avvicinare o strisciare la carta',
  leaveCard: 'Lasciare inserita la carta',
  enterPin: 'Digitare il PIN sul terminale',
  waiting: 'In attesa della sua banca',
  waitingHint: 'Lasciare inserita la carta.',
  findingOut: 'Attendiamo la sua banca',
  findingOutHint: 'Un momento, prego.',
  approved: 'Grazie',
  approvedHint: 'Il pagamento è andato a buon fine.',
  heldHint: 'L’importo è riservato.',
  partApproved: 'La carta ha pagato una parte',
  refunded: 'Riceve indietro il suo denaro',
  refundedHint: 'Sarà sulla sua carta entro pochi giorni.',
  declined: 'Rifiutato',
  declinedHint: 'Non è stato addebitato nulla. Vuole provare un’altra carta?',
  cancelled: 'Annullato',
  nothingCharged: 'Non è stato addebitato nulla.',
  nothingGivenBack: 'Non è stato rimborsato nulla.',
  reversing: 'Questo pagamento non conta',
  reversingHint: 'Non resterà addebitato nulla.',
  reversed: 'Stornato',
  reversedHint: 'Il pagamento non resterà sul suo estratto conto.',
  notCompleted: 'Non completato',
  askStaff: 'Si rivolga al nostro personale',
  removeCard: 'Ritirare la carta, prego.',
  away: 'Un momento, prego',
  awayHint: 'La connessione alla cassa viene ripristinata.',
  connectWords:
    'Apra «Display cliente» sulla cassa. Scansioni la sua immagine con questo dispositivo o inserisca qui il codice.',
  code: 'Codice',
  connect: 'Connetti',
  codeWrong: 'Questo codice non è noto qui, o è già stato usato. Ne faccia creare uno nuovo alla cassa.',
  notReached: 'La cassa non è stata raggiunta. Riprovi.',
};

/** The languages of customers: those of receipts. */
export const DISPLAY_LANGUAGES = { de: DE, en: EN, es: ES, fr: FR, it: IT } as const;

/** One of {@link DISPLAY_LANGUAGES}. */
export type DisplayLanguage = keyof typeof DISPLAY_LANGUAGES;

/** A text in a language, with values in the place of what stands in braces. */
export function textIn(
  language: DisplayLanguage,
  key: DisplayTextKey,
  values: Readonly<Record<string, string>> = {},
): string {
  return DISPLAY_LANGUAGES[language][key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** An amount as people of a language write it. */
export function moneyIn(language: DisplayLanguage, amount: string, currency: string): string {
  return amountText(amount, currency, language);
}

/** How a step looks and reads. */
interface StepWords {
  readonly tone: 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
  readonly title: DisplayTextKey;
  readonly hint?: DisplayTextKey;
}

/** The words of each step of a payment; those that differ for refunds and reservations stand below. */
export const STEP_WORDS: Readonly<Record<DisplayStep, StepWords>> = {
  idle: { tone: 'neutral', title: 'welcome' },
  preparing: { tone: 'neutral', title: 'preparing' },
  'present-card': { tone: 'accent', title: 'presentCard' },
  'leave-card': { tone: 'accent', title: 'leaveCard' },
  'enter-pin': { tone: 'accent', title: 'enterPin' },
  waiting: { tone: 'neutral', title: 'waiting', hint: 'waitingHint' },
  'finding-out': { tone: 'neutral', title: 'findingOut', hint: 'findingOutHint' },
  approved: { tone: 'good', title: 'approved', hint: 'approvedHint' },
  'part-approved': { tone: 'warn', title: 'partApproved' },
  refunded: { tone: 'good', title: 'refunded', hint: 'refundedHint' },
  declined: { tone: 'bad', title: 'declined', hint: 'declinedHint' },
  cancelled: { tone: 'neutral', title: 'cancelled', hint: 'nothingCharged' },
  reversing: { tone: 'warn', title: 'reversing', hint: 'reversingHint' },
  reversed: { tone: 'neutral', title: 'reversed', hint: 'reversedHint' },
  'not-completed': { tone: 'bad', title: 'notCompleted', hint: 'nothingCharged' },
  'ask-staff': { tone: 'warn', title: 'askStaff' },
};

/** What is different where no money is to be charged. */
const OTHER_HINTS: Readonly<
  Record<'refund' | 'preauthorization', Partial<Record<DisplayStep, DisplayTextKey>>>
> = {
  refund: {
    declined: 'nothingGivenBack',
    cancelled: 'nothingGivenBack',
    reversed: 'nothingGivenBack',
    'not-completed': 'nothingGivenBack',
  },
  preauthorization: { approved: 'heldHint' },
};

/** The words of a step, for what kind of payment it is. */
export function wordsOf(step: DisplayStep, type: 'sale' | 'refund' | 'preauthorization' = 'sale'): StepWords {
  const hint = type === 'sale' ? undefined : OTHER_HINTS[type][step];
  return { ...STEP_WORDS[step], ...(hint && { hint }) };
}
