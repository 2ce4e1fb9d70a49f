/** German texts about refused and warned rows. */
import type { RowTexts } from './en.ts';

const codes: RowTexts['codes'] = {
  required: 'Leer, aber der Import braucht es',
  not_an_email: 'Keine E-Mail-Adresse',
  not_a_date: 'Kein Datum',
  not_a_phone_number: 'Keine Telefonnummer',
  unmapped_value: 'Ein Wort, das dieser Import nicht kennt',
  not_allowed: 'Ein Wort, das hier nicht geht',
  out_of_range: 'Zu groß, zu klein oder in der Zukunft',
  wrong_type: 'Kein Wert dieser Art',
  bad_characters: 'Beschädigte Buchstaben',
  identity_missing: 'Nichts sagt, zu wem die Zeile gehört',
  too_many_cells: 'Mehr Zellen, als die Kopfzeile hat',
  dropped_cell: 'Zellen, die sich nicht lesen lassen; weggelassen',
  not_an_identity: 'Ein Platzhalter wie „unbekannt“ ist keine Kennung; weggelassen',
  looks_like_no_identity: 'Gespeichert, sieht aber aus wie ein Platzhalter',
  identity_conflict: 'Gehört zu einer anderen Person; weggelassen',
  forgotten: 'Die Person wurde vergessen; nichts ist gespeichert',
  restricted: 'Die Person widerspricht jeder Nutzung; gespeichert, aber nirgends genutzt',
};

const sentences: Readonly<Record<string, string>> = {
  'it has no "@"': 'das „@“ fehlt',
  'it has two "@"': 'sie hat zwei „@“',
  'it has a space in it': 'sie enthält ein Leerzeichen',
  'nothing stands before the "@"': 'vor dem „@“ steht nichts',
  'nothing follows the "@"': 'nach dem „@“ steht nichts',
  'a dot stands at an end or beside another dot': 'ein Punkt steht am Rand oder neben einem Punkt',
  'its domain has no dot': 'der Domain fehlt ein Punkt',
  'Stands for nobody, and the record has no other identity.':
    'Steht für niemanden, und nichts anderes sagt, zu wem die Zeile gehört.',
  'Is required by the import definition, and empty.': 'Ist leer, aber der Import braucht es.',
  'Needs a unique_id, an email or a social_id to say whose record it is.':
    'Es fehlt eine Kundennummer oder E-Mail-Adresse.',
  'Must be a whole number, 0 to 150.': 'Muss eine ganze Zahl von 0 bis 150 sein.',
};

export const de: RowTexts = {
  isOfApi: false,
  codes,
  said: (sentence) => {
    const [, wrong] = /^Is not an e-mail address: (.+)\.$/.exec(sentence) ?? [];
    if (wrong === undefined) return sentences[sentence];
    const [, sign] = /^it has "(.)" in it$/.exec(wrong) ?? [];
    const said = sign === undefined ? sentences[wrong] : `sie enthält „${sign}“`;
    return said === undefined ? 'Keine E-Mail-Adresse.' : `Keine E-Mail-Adresse: ${said}.`;
  },
};
