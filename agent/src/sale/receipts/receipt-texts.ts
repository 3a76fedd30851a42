import type { EntryMode } from '../../drivers/core/driver.js';
import type { SaleOutcome, SaleType } from '../machine/state/answer.js';
import type { Language } from './store.js';

/** Notes on how a sale ended, in addition to its outcome. */
export type VerdictNote =
  | 'byVoice'
  | 'declinedLater'
  | 'notPaid'
  | 'authorizedLater'
  | 'offline'
  | 'notSure'
  | 'notForwarded'
  | 'takenOffline'
  | 'notAuthorized'
  | 'merchantRisk';

/** The content of a line with a name. */
export type Label =
  | 'customerCopy'
  | 'merchantCopy'
  | 'reprint'
  | 'lateDeclineNotice'
  | 'date'
  | 'time'
  | 'printed'
  | 'merchant'
  | 'terminal'
  | 'till'
  | 'sequence'
  | 'reference'
  | 'amount'
  | 'ofTotal'
  | 'tip'
  | 'card'
  | 'brand'
  | 'entry'
  | 'verification'
  | 'application'
  | 'approvalCode'
  | 'availableBalance'
  | 'cashBack'
  | 'result'
  | 'payment'
  | 'signature'
  | 'pin'
  | 'noticeCustomer'
  | 'noticeMerchant';

/** All fixed texts of a receipt. */
export type ReceiptTexts = Readonly<Record<Label | SaleType | EntryMode | SaleOutcome | VerdictNote, string>>;

/** The texts of receipts; `TVR`, `AID` and the like are the same everywhere. */
export const RECEIPT_TEXTS: Readonly<Record<Language, ReceiptTexts>> = {
  en: {
    customerCopy: 'CUSTOMER COPY',
    merchantCopy: 'MERCHANT COPY',
    reprint: '*** DUPLICATE ***',
    lateDeclineNotice: 'NOTICE OF A LATE DECLINE',
    sale: 'SALE',
    refund: 'REFUND',
    preauthorization: 'PREAUTHORIZATION',
    date: 'Date',
    time: 'Time',
    printed: 'Printed',
    merchant: 'Merchant',
    terminal: 'Terminal',
    till: 'Till',
    sequence: 'Sequence',
    reference: 'Reference',
    amount: 'Amount',
    ofTotal: 'Of a total of',
    tip: 'Including tip',
    card: 'Card',
    brand: 'Brand',
    entry: 'Entry',
    verification: 'Verification',
    application: 'Application',
    approvalCode: 'Approval code',
    availableBalance: 'Available balance',
    cashBack: 'Cash back',
    result: 'Result',
    payment: 'Payment',
    signature: 'Signature',
    MANUAL: 'keyed',
    MAGSTRIPE: 'swiped',
    MAGSTRIPE_AS_FALLBACK: 'swiped (fallback)',
    ICC: 'chip',
    NFC_ICC: 'contactless',
    NFC_MAGSTRIPE: 'contactless (magstripe)',
    pin: 'PIN',
    approved: 'APPROVED',
    declined: 'DECLINED',
    cancelled: 'CANCELLED',
    reversed: 'REVERSED',
    expired: 'EXPIRED',
    failed: 'FAILED',
    byVoice: 'VOICE AUTHORIZATION',
    declinedLater: 'DECLINED LATER',
    notPaid: 'TAKEN OFFLINE, NOT PAID',
    authorizedLater: 'TAKEN OFFLINE, AUTHORIZED LATER',
    offline: 'OFFLINE',
    notSure: 'SUBJECT TO AUTHORIZATION',
    notForwarded: 'NOT FORWARDED IN TIME',
    takenOffline: 'TAKEN OFFLINE',
    notAuthorized: 'NOT AUTHORIZED',
    merchantRisk: 'THE MERCHANT CARRIES THE RISK',
    noticeCustomer:
      'This payment was taken offline and was not authorized later. Nothing was charged. Please pay in another way.',
    noticeMerchant:
      'This payment was taken offline and was not authorized later. No money was received. Follow up with the customer.',
  },
  de: {
    customerCopy: 'KUNDENBELEG',
    merchantCopy: 'HÄNDLERBELEG',
    reprint: '*** KOPIE ***',
    lateDeclineNotice: 'NACHTRÄGLICHE ABLEHNUNG',
    sale: 'ZAHLUNG',
    refund: 'GUTSCHRIFT',
    preauthorization: 'VORAUTORISIERUNG',
    date: 'Datum',
    time: 'Uhrzeit',
    printed: 'Gedruckt',
    merchant: 'Händler',
    terminal: 'Terminal',
    till: 'Kasse',
    sequence: 'Belegnummer',
    reference: 'Referenz',
    amount: 'Betrag',
    ofTotal: 'Von insgesamt',
    tip: 'Davon Trinkgeld',
    card: 'Karte',
    brand: 'Marke',
    entry: 'Eingabe',
    verification: 'Prüfung',
    application: 'Anwendung',
    approvalCode: 'Genehmigungsnr.',
    availableBalance: 'Verfügbar',
    cashBack: 'Auszahlung',
    result: 'Ergebnis',
    payment: 'Zahlung',
    signature: 'Unterschrift',
    MANUAL: 'manuell',
    MAGSTRIPE: 'Magnetstreifen',
    MAGSTRIPE_AS_FALLBACK: 'Magnetstr. (Ersatz)',
    ICC: 'Chip',
    NFC_ICC: 'kontaktlos',
    NFC_MAGSTRIPE: 'kontaktlos (Magnetstr.)',
    pin: 'PIN',
    approved: 'GENEHMIGT',
    declined: 'ABGELEHNT',
    cancelled: 'ABGEBROCHEN',
    reversed: 'STORNIERT',
    expired: 'VERFALLEN',
    failed: 'FEHLGESCHLAGEN',
    byVoice: 'TELEFONISCH GENEHMIGT',
    declinedLater: 'NACHTRÄGLICH ABGELEHNT',
    notPaid: 'OFFLINE, NICHT BEZAHLT',
    authorizedLater: 'OFFLINE, SPÄTER GENEHMIGT',
    offline: 'OFFLINE',
    notSure: 'VORBEHALTLICH DER GENEHMIGUNG',
    notForwarded: 'NICHT RECHTZEITIG ÜBERMITTELT',
    takenOffline: 'OFFLINE ANGENOMMEN',
    notAuthorized: 'NICHT GENEHMIGT',
    merchantRisk: 'DER HÄNDLER TRÄGT DAS RISIKO',
    noticeCustomer:
      'Diese Zahlung wurde offline angenommen und später nicht genehmigt. Es wurde nichts abgebucht. Bitte zahlen Sie auf andere Weise.',
    noticeMerchant:
      'Diese Zahlung wurde offline angenommen und später nicht genehmigt. Es ging kein Geld ein. Bitte den Kunden ansprechen.',
  },
  fr: {
    customerCopy: 'EXEMPLAIRE CLIENT',
    merchantCopy: 'EXEMPLAIRE COMMERÇANT',
    reprint: '*** DUPLICATA ***',
    lateDeclineNotice: 'AVIS DE REFUS TARDIF',
    sale: 'ACHAT',
    refund: 'REMBOURSEMENT',
    preauthorization: 'PRÉAUTORISATION',
    date: 'Date',
    time: 'Heure',
    printed: 'Imprimé',
    merchant: 'Commerçant',
    terminal: 'Terminal',
    till: 'Caisse',
    sequence: 'Numéro',
    reference: 'Référence',
    amount: 'Montant',
    ofTotal: 'Sur un total de',
    tip: 'Dont pourboire',
    card: 'Carte',
    brand: 'Marque',
    entry: 'Lecture',
    verification: 'Vérification',
    application: 'Application',
    approvalCode: 'Autorisation',
    availableBalance: 'Solde disponible',
    cashBack: 'Retrait',
    result: 'Résultat',
    payment: 'Paiement',
    signature: 'Signature',
    MANUAL: 'saisie manuelle',
    MAGSTRIPE: 'piste',
    MAGSTRIPE_AS_FALLBACK: 'piste (repli)',
    ICC: 'puce',
    NFC_ICC: 'sans contact',
    NFC_MAGSTRIPE: 'sans contact (piste)',
    pin: 'code PIN',
    approved: 'APPROUVÉ',
    declined: 'REFUSÉ',
    cancelled: 'ABANDONNÉ',
    reversed: 'ANNULÉ',
    expired: 'EXPIRÉ',
    failed: 'ÉCHOUÉ',
    byVoice: 'AUTORISATION PAR TÉLÉPHONE',
    declinedLater: 'REFUSÉ APRÈS COUP',
    notPaid: 'HORS LIGNE, NON PAYÉ',
    authorizedLater: 'HORS LIGNE, AUTORISÉ ENSUITE',
    offline: 'HORS LIGNE',
    notSure: 'SOUS RÉSERVE D’AUTORISATION',
    notForwarded: 'NON TRANSMIS À TEMPS',
    takenOffline: 'ACCEPTÉ HORS LIGNE',
    notAuthorized: 'NON AUTORISÉ',
    merchantRisk: 'RISQUE À LA CHARGE DU COMMERÇANT',
    noticeCustomer:
      'Ce paiement, accepté hors ligne, n’a pas été autorisé ensuite. Rien n’a été débité. Veuillez payer autrement.',
    noticeMerchant:
      'Ce paiement, accepté hors ligne, n’a pas été autorisé ensuite. Aucun montant n’a été reçu. Contactez le client.',
  },
  it: {
    customerCopy: 'COPIA CLIENTE',
    merchantCopy: 'COPIA ESERCENTE',
    reprint: '*** DUPLICATO ***',
    lateDeclineNotice: 'AVVISO DI RIFIUTO TARDIVO',
    sale: 'ACQUISTO',
    refund: 'RIMBORSO',
    preauthorization: 'PREAUTORIZZAZIONE',
    date: 'Data',
    time: 'Ora',
    printed: 'Stampato',
    merchant: 'Esercente',
    terminal: 'Terminale',
    till: 'Cassa',
    sequence: 'Numero',
    reference: 'Riferimento',
    amount: 'Importo',
    ofTotal: 'Su un totale di',
    tip: 'Di cui mancia',
    card: 'Carta',
    brand: 'Marchio',
    entry: 'Lettura',
    verification: 'Verifica',
    application: 'Applicazione',
    approvalCode: 'Autorizzazione',
    availableBalance: 'Disponibile',
    cashBack: 'Contante',
    result: 'Esito',
    payment: 'Pagamento',
    signature: 'Firma',
    MANUAL: 'manuale',
    MAGSTRIPE: 'banda magnetica',
    MAGSTRIPE_AS_FALLBACK: 'banda (ripiego)',
    ICC: 'chip',
    NFC_ICC: 'contactless',
    NFC_MAGSTRIPE: 'contactless (banda)',
    pin: 'PIN',
    approved: 'APPROVATO',
    declined: 'RIFIUTATO',
    cancelled: 'ANNULLATO',
    reversed: 'STORNATO',
    expired: 'SCADUTO',
    failed: 'NON RIUSCITO',
    byVoice: 'AUTORIZZAZIONE TELEFONICA',
    declinedLater: 'RIFIUTATO IN SEGUITO',
    notPaid: 'OFFLINE, NON PAGATO',
    authorizedLater: 'OFFLINE, AUTORIZZATO DOPO',
    offline: 'OFFLINE',
    notSure: 'SALVO AUTORIZZAZIONE',
    notForwarded: 'NON INOLTRATO IN TEMPO',
    takenOffline: 'ACCETTATO OFFLINE',
    notAuthorized: 'NON AUTORIZZATO',
    merchantRisk: 'RISCHIO A CARICO DELL’ESERCENTE',
    noticeCustomer:
      'Questo pagamento, accettato offline, non è stato poi autorizzato. Nulla è stato addebitato. La preghiamo di pagare in altro modo.',
    noticeMerchant:
      'Questo pagamento, accettato offline, non è stato poi autorizzato. Non è stato incassato nulla. Contattare il cliente.',
  },
  es: {
    customerCopy: 'COPIA CLIENTE',
    merchantCopy: 'COPIA COMERCIO',
    reprint: '*** DUPLICADO ***',
    lateDeclineNotice: 'AVISO DE RECHAZO POSTERIOR',
    sale: 'VENTA',
    refund: 'DEVOLUCIÓN',
    preauthorization: 'PREAUTORIZACIÓN',
    date: 'Fecha',
    time: 'Hora',
    printed: 'Impreso',
    merchant: 'Comercio',
    terminal: 'Terminal',
    till: 'Caja',
    sequence: 'Número',
    reference: 'Referencia',
    amount: 'Importe',
    ofTotal: 'De un total de',
    tip: 'Incluida propina',
    card: 'Tarjeta',
    brand: 'Marca',
    entry: 'Lectura',
    verification: 'Verificación',
    application: 'Aplicación',
    approvalCode: 'Autorización',
    availableBalance: 'Saldo disponible',
    cashBack: 'Efectivo',
    result: 'Resultado',
    payment: 'Pago',
    signature: 'Firma',
    MANUAL: 'manual',
    MAGSTRIPE: 'banda',
    MAGSTRIPE_AS_FALLBACK: 'banda (alternativa)',
    ICC: 'chip',
    NFC_ICC: 'sin contacto',
    NFC_MAGSTRIPE: 'sin contacto (banda)',
    pin: 'PIN',
    approved: 'APROBADA',
    declined: 'DENEGADA',
    cancelled: 'CANCELADA',
    reversed: 'ANULADA',
    expired: 'CADUCADA',
    failed: 'FALLIDA',
    byVoice: 'AUTORIZACIÓN TELEFÓNICA',
    declinedLater: 'DENEGADA DESPUÉS',
    notPaid: 'SIN CONEXIÓN, NO PAGADA',
    authorizedLater: 'SIN CONEXIÓN, AUTORIZADA DESPUÉS',
    offline: 'SIN CONEXIÓN',
    notSure: 'SUJETA A AUTORIZACIÓN',
    notForwarded: 'NO ENVIADA A TIEMPO',
    takenOffline: 'ACEPTADA SIN CONEXIÓN',
    notAuthorized: 'NO AUTORIZADA',
    merchantRisk: 'EL COMERCIO ASUME EL RIESGO',
    noticeCustomer:
      'Este pago se aceptó sin conexión y después no se autorizó. No se ha cargado nada. Por favor, pague de otra forma.',
    noticeMerchant:
      'Este pago se aceptó sin conexión y después no se autorizó. No se ha recibido dinero. Contacte con el cliente.',
  },
};
