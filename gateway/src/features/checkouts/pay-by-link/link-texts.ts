import type { ShopperLanguage } from '@tillbridge/wire/shopper/shopper-language.js';

/** Texts of the pages of a link, in the order of the rows below. */
export const LINK_TEXT_KEYS = [
  'invoice',
  'declined',
  'terms',
  'privacy',
  'paid',
  'paidText',
  'pending',
  'pendingText',
  'closed',
  'closedText',
  'order',
  'merchant',
  'amount',
  'reference',
  'date',
  'print',
] as const;

export type LinkTexts = Readonly<Record<(typeof LINK_TEXT_KEYS)[number], string>>;

/** Each language: texts in the order of the keys, parted by bars. */
export const LINK_TEXT_ROWS: Readonly<Record<ShopperLanguage, string>> = {
  en: 'Invoice|The payment was declined. Try another card or another way to pay.|Terms and conditions|Privacy policy|Thank you|The payment has arrived.|One moment|The payment is being processed. This page needs nothing more of you.|This link cannot be used|It has expired, or its sender has ended it. Ask the sender for another one.|Order|Paid to|Amount|Reference|Date|Print receipt',
  de: 'Rechnung|Die Zahlung wurde abgelehnt. Versuchen Sie eine andere Karte oder eine andere Zahlungsart.|Geschäftsbedingungen|Datenschutz|Vielen Dank|Die Zahlung ist eingegangen.|Einen Moment|Die Zahlung wird verarbeitet. Sie müssen auf dieser Seite nichts mehr tun.|Dieser Link kann nicht verwendet werden|Er ist abgelaufen, oder der Absender hat ihn beendet. Bitten Sie den Absender um einen neuen.|Bestellung|Bezahlt an|Betrag|Referenz|Datum|Beleg drucken',
  fr: 'Facture|Le paiement a été refusé. Essayez une autre carte ou un autre moyen de paiement.|Conditions générales|Protection des données|Merci|Le paiement est arrivé.|Un instant|Le paiement est en cours de traitement. Vous n’avez plus rien à faire sur cette page.|Ce lien n’est pas utilisable|Il a expiré ou son expéditeur y a mis fin. Demandez-en un autre à l’expéditeur.|Commande|Payé à|Montant|Référence|Date|Imprimer le reçu',
  es: 'Factura|El pago fue rechazado. Pruebe con otra tarjeta u otro método de pago.|Condiciones generales|Política de privacidad|Gracias|El pago ha llegado.|Un momento|El pago se está procesando. No tiene que hacer nada más en esta página.|Este enlace no se puede usar|Ha caducado o su remitente lo ha cerrado. Pida otro al remitente.|Pedido|Pagado a|Importe|Referencia|Fecha|Imprimir recibo',
  it: 'Fattura|Il pagamento è stato rifiutato. Prova un’altra carta o un altro metodo di pagamento.|Condizioni generali|Informativa sulla privacy|Grazie|Il pagamento è arrivato.|Un momento|Il pagamento è in elaborazione. Non devi fare altro in questa pagina.|Questo link non può essere usato|È scaduto o il mittente lo ha chiuso. Chiedine un altro al mittente.|Ordine|Pagato a|Importo|Riferimento|Data|Stampa ricevuta',
  pt: 'Fatura|O pagamento foi recusado. Tente outro cartão ou outro método de pagamento.|Termos e condições|Política de privacidade|Obrigado|O pagamento chegou.|Um momento|O pagamento está a ser processado. Não precisa de fazer mais nada nesta página.|Esta ligação não pode ser usada|Expirou ou o remetente encerrou-a. Peça outra ao remetente.|Encomenda|Pago a|Montante|Referência|Data|Imprimir recibo',
  nl: 'Factuur|De betaling is geweigerd. Probeer een andere kaart of een andere betaalmethode.|Algemene voorwaarden|Privacybeleid|Dank u wel|De betaling is ontvangen.|Een ogenblik|De betaling wordt verwerkt. U hoeft op deze pagina niets meer te doen.|Deze link kan niet worden gebruikt|Hij is verlopen of door de afzender beëindigd. Vraag de afzender om een nieuwe.|Bestelling|Betaald aan|Bedrag|Referentie|Datum|Bon afdrukken',
  da: 'Faktura|Betalingen blev afvist. Prøv et andet kort eller en anden betalingsmåde.|Handelsbetingelser|Privatlivspolitik|Tak|Betalingen er modtaget.|Et øjeblik|Betalingen behandles. Du skal ikke gøre mere på denne side.|Dette link kan ikke bruges|Det er udløbet, eller afsenderen har afsluttet det. Bed afsenderen om et nyt.|Ordre|Betalt til|Beløb|Reference|Dato|Udskriv kvittering',
  sv: 'Faktura|Betalningen nekades. Prova ett annat kort eller ett annat betalningssätt.|Allmänna villkor|Integritetspolicy|Tack|Betalningen har kommit fram.|Ett ögonblick|Betalningen behandlas. Du behöver inte göra något mer på den här sidan.|Länken kan inte användas|Den har gått ut eller avslutats av avsändaren. Be avsändaren om en ny.|Beställning|Betalt till|Belopp|Referens|Datum|Skriv ut kvitto',
  no: 'Faktura|Betalingen ble avvist. Prøv et annet kort eller en annen betalingsmåte.|Vilkår|Personvern|Takk|Betalingen er mottatt.|Et øyeblikk|Betalingen behandles. Du trenger ikke gjøre noe mer på denne siden.|Denne lenken kan ikke brukes|Den er utløpt, eller avsenderen har avsluttet den. Be avsenderen om en ny.|Bestilling|Betalt til|Beløp|Referanse|Dato|Skriv ut kvittering',
  fi: 'Lasku|Maksu hylättiin. Kokeile toista korttia tai toista maksutapaa.|Käyttöehdot|Tietosuoja|Kiitos|Maksu on saapunut.|Hetkinen|Maksua käsitellään. Sinun ei tarvitse tehdä tällä sivulla enää mitään.|Tätä linkkiä ei voi käyttää|Se on vanhentunut tai lähettäjä on päättänyt sen. Pyydä lähettäjältä uusi.|Tilaus|Maksun saaja|Summa|Viite|Päivä|Tulosta kuitti',
  pl: 'Faktura|Płatność została odrzucona. Spróbuj innej karty lub innej metody płatności.|Regulamin|Polityka prywatności|Dziękujemy|Płatność dotarła.|Chwileczkę|Płatność jest przetwarzana. Na tej stronie nic więcej nie trzeba robić.|Nie można użyć tego linku|Wygasł lub nadawca go zakończył. Poproś nadawcę o nowy.|Zamówienie|Odbiorca|Kwota|Numer referencyjny|Data|Drukuj potwierdzenie',
  cs: 'Faktura|Platba byla zamítnuta. Zkuste jinou kartu nebo jiný způsob platby.|Obchodní podmínky|Ochrana osobních údajů|Děkujeme|Platba dorazila.|Okamžik|Platba se zpracovává. Na této stránce už nemusíte nic dělat.|Tento odkaz nelze použít|Vypršel nebo ho odesílatel ukončil. Požádejte odesílatele o nový.|Objednávka|Zaplaceno komu|Částka|Reference|Datum|Vytisknout doklad',
  sk: 'Faktúra|Platba bola zamietnutá. Skúste inú kartu alebo iný spôsob platby.|Obchodné podmienky|Ochrana osobných údajov|Ďakujeme|Platba dorazila.|Okamih|Platba sa spracúva. Na tejto stránke už nemusíte nič robiť.|Tento odkaz nie je možné použiť|Vypršal alebo ho odosielateľ ukončil. Požiadajte odosielateľa o nový.|Objednávka|Zaplatené komu|Suma|Referencia|Dátum|Vytlačiť doklad',
  sl: 'Račun|Plačilo je bilo zavrnjeno. Poskusite z drugo kartico ali drugim načinom plačila.|Splošni pogoji|Zasebnost|Hvala|Plačilo je prispelo.|Trenutek|Plačilo se obdeluje. Na tej strani vam ni treba storiti ničesar več.|Te povezave ni mogoče uporabiti|Potekla je ali pa jo je pošiljatelj končal. Prosite pošiljatelja za novo.|Naročilo|Prejemnik|Znesek|Sklic|Datum|Natisni potrdilo',
  hu: 'Számla|A fizetést elutasították. Próbáljon másik kártyát vagy más fizetési módot.|Általános feltételek|Adatvédelem|Köszönjük|A fizetés megérkezett.|Egy pillanat|A fizetés feldolgozása folyamatban van. Ezen az oldalon nincs több teendője.|Ez a link nem használható|Lejárt, vagy a küldő megszüntette. Kérjen másikat a küldőtől.|Rendelés|Kedvezményezett|Összeg|Hivatkozás|Dátum|Bizonylat nyomtatása',
  ro: 'Factură|Plata a fost refuzată. Încercați alt card sau altă metodă de plată.|Termeni și condiții|Confidențialitate|Vă mulțumim|Plata a ajuns.|Un moment|Plata este în curs de procesare. Nu mai aveți nimic de făcut pe această pagină.|Acest link nu poate fi folosit|A expirat sau expeditorul l-a închis. Cereți expeditorului altul.|Comandă|Plătit către|Sumă|Referință|Data|Tipăriți chitanța',
  tr: 'Fatura|Ödeme reddedildi. Başka bir kart veya başka bir ödeme yöntemi deneyin.|Şartlar ve koşullar|Gizlilik|Teşekkürler|Ödeme ulaştı.|Bir dakika|Ödeme işleniyor. Bu sayfada yapmanız gereken başka bir şey yok.|Bu bağlantı kullanılamaz|Süresi doldu veya gönderen sonlandırdı. Gönderenden yenisini isteyin.|Sipariş|Alıcı|Tutar|Referans|Tarih|Makbuzu yazdır',
  el: 'Τιμολόγιο|Η πληρωμή απορρίφθηκε. Δοκιμάστε άλλη κάρτα ή άλλον τρόπο πληρωμής.|Όροι και προϋποθέσεις|Απόρρητο|Ευχαριστούμε|Η πληρωμή έφτασε.|Μια στιγμή|Η πληρωμή βρίσκεται σε επεξεργασία. Δεν χρειάζεται να κάνετε κάτι άλλο σε αυτή τη σελίδα.|Αυτός ο σύνδεσμος δεν μπορεί να χρησιμοποιηθεί|Έληξε ή τον τερμάτισε ο αποστολέας. Ζητήστε άλλον από τον αποστολέα.|Παραγγελία|Πληρώθηκε σε|Ποσό|Αναφορά|Ημερομηνία|Εκτύπωση απόδειξης',
  bg: 'Фактура|Плащането беше отказано. Опитайте с друга карта или друг начин на плащане.|Общи условия|Поверителност|Благодарим|Плащането пристигна.|Един момент|Плащането се обработва. Не е нужно да правите нищо повече на тази страница.|Тази връзка не може да се използва|Изтекла е или подателят я е прекратил. Поискайте друга от подателя.|Поръчка|Платено на|Сума|Референция|Дата|Отпечатай разписка',
  ru: 'Счёт|Платёж отклонён. Попробуйте другую карту или другой способ оплаты.|Условия|Конфиденциальность|Спасибо|Платёж поступил.|Один момент|Платёж обрабатывается. На этой странице больше ничего делать не нужно.|Эту ссылку нельзя использовать|Она истекла, или отправитель её закрыл. Попросите у отправителя новую.|Заказ|Получатель|Сумма|Номер|Дата|Распечатать квитанцию',
  be: 'Рахунак|Плацеж адхілены. Паспрабуйце іншую картку або іншы спосаб аплаты.|Умовы|Прыватнасць|Дзякуй|Плацеж паступіў.|Хвілінку|Плацеж апрацоўваецца. На гэтай старонцы больш нічога рабіць не трэба.|Гэту спасылку нельга выкарыстаць|Яна скончылася, або адпраўнік яе закрыў. Папрасіце ў адпраўніка новую.|Заказ|Атрымальнік|Сума|Нумар|Дата|Надрукаваць квітанцыю',
  ar: 'فاتورة|رُفضت عملية الدفع. جرّب بطاقة أخرى أو طريقة دفع أخرى.|الشروط والأحكام|سياسة الخصوصية|شكرًا لك|وصل المبلغ.|لحظة|تجري معالجة الدفع. لا حاجة إلى فعل أي شيء آخر في هذه الصفحة.|لا يمكن استخدام هذا الرابط|انتهت صلاحيته أو أنهاه المرسل. اطلب من المرسل رابطًا آخر.|الطلب|المدفوع له|المبلغ|المرجع|التاريخ|طباعة الإيصال',
  zh: '账单|付款被拒绝。请尝试其他银行卡或其他付款方式。|条款与条件|隐私政策|谢谢|款项已到账。|请稍候|付款正在处理中。您无需在此页面进行其他操作。|此链接无法使用|它已过期或已被发送者终止。请向发送者索取新的链接。|订单|收款方|金额|参考号|日期|打印收据',
  ja: '請求書|お支払いが拒否されました。別のカードまたは別の支払い方法をお試しください。|利用規約|プライバシーポリシー|ありがとうございました|お支払いを受け付けました。|少々お待ちください|お支払いを処理しています。このページで行うことはもうありません。|このリンクは使用できません|期限切れか、送信者によって終了されています。送信者に新しいリンクを依頼してください。|ご注文|お支払い先|金額|参照番号|日付|領収書を印刷',
  ko: '청구서|결제가 거절되었습니다. 다른 카드나 다른 결제 수단을 사용해 보세요.|이용약관|개인정보 처리방침|감사합니다|결제가 완료되었습니다.|잠시만요|결제를 처리하고 있습니다. 이 페이지에서 더 하실 일은 없습니다.|이 링크는 사용할 수 없습니다|만료되었거나 보낸 사람이 종료했습니다. 보낸 사람에게 새 링크를 요청하세요.|주문|받는 곳|금액|참조 번호|날짜|영수증 인쇄',
};

/** The texts in a language. */
export function linkTexts(language: ShopperLanguage): LinkTexts {
  const values = LINK_TEXT_ROWS[language].split('|');
  return Object.fromEntries(LINK_TEXT_KEYS.map((key, at) => [key, values[at] ?? ''])) as LinkTexts;
}
