/** Words for nothing: what people and programs write into a field for which they have no value, in many languages. */

/** Words, delimited by a comma and a space. */
const words = [
  // Programs and databases.
  'null, nul, none, nil, nan, na, n/a, undefined, undef, void, nullptr, dbnull, system.dbnull, object object, false, true, -1, -nan, 1.#ind, notset, notfound',
  // Empty values by name.
  'blank, empty, leer, vide, vacio, vacío, vuoto, leeg, puste, boş, пусто, 空',
  // People who are not known.
  'unknown, unbekannt, unbek, inconnu, inconnue, desconocido, desconocida, sconosciuto, sconosciuta, desconhecido, desconhecida, onbekend, nieznany, nieznana, neznámý, neznámá, okänd, ukjent, ukendt, tuntematon, ismeretlen, necunoscut, bilinmiyor, неизвестно, неизвестный, неизвестная, невідомо, άγνωστο, 不明, 未知, 알 수 없음',
  'anonymous, anonym, anonyme, anonimo, anónimo, anônimo, anoniem, anonymus, anon, guest, gast, invité, invitado, ospite, hóspede, gość, not_authenticated',
  // Nothing is there.
  'nothing, nichts, keine, keiner, keines, kein, aucun, aucune, néant, neant, sans, ninguno, ninguna, ningun, nessuno, nessuna, niente, nulla, nenhum, nenhuma, geen, brak, žádný, žádné, ingen, inget, ingenting, ei ole, nincs, nema, yok, нет, немає, なし, 无, 無, 없음',
  'not available, not applicable, not provided, not specified, not set, not known, not given, no value, no data, no id, no number, no email, no e-mail, no mail, none given, missing, k.a, k. a, keine angabe, keine angaben, nicht vorhanden, nicht bekannt, nicht angegeben, ohne angabe, ohne, entfällt, n.v, n. v, non renseigné, non renseignée, non disponible, non communiqué, n.c, n. c, no disponible, no aplica, sin datos, sin especificar, s/d, non disponibile, non specificato, n.d, n. d, n/d, não disponível, não informado, niet bekend, niet beschikbaar, n.v.t, nvt, n.b, brak danych, nie dotyczy, saknas, ej angivet, ikke oppgitt, н/д, нет данных',
  // To be filled in.
  'tbd, tba, tbc, tbd., to be determined, to be defined, to do, todo, to follow, pending, wird nachgereicht, à définir, a définir, por definir, da definire, xxx, xxxx, xxxxx, xxxxxx',
  'test, tests, testing, tester, dummy, placeholder, platzhalter, sample, muster, beispiel, exemple, ejemplo, esempio, lorem, ipsum, asdf, qwerty',
].join(', ');

const known: ReadonlySet<string> = new Set(words.split(', '));

/** The errors of a cell in spreadsheets, in several languages: `#N/A`, `#NAME?`, `#BEZUG!`. */
const errors: ReadonlySet<string> = new Set(
  (
    '#n/a, #na, #n/v, #nv, #nd, #n/d, #name?, #nom?, #nome?, #nombre?, #¿nombre?, #naam?, #nazwa?, #ref!, #bezug!, #rif!, #verw!, #adr!, #value!, #wert!, ' +
    '#valeur!, #valor!, #¡valor!, #valore!, #waarde!, #arg!, #div/0!, #¡div/0!, #null!, #nul!, #nulo!, #¡nulo!, #nullo!, #leeg!, ' +
    '#num!, #nombre!, #zahl!, #núm!, #¡num!, #getal!, #liczba!, #spill!, #überlauf!, #calc!, #error!, #error, #fehler!, #fehlt, #blocked!, #unknown!, ' +
    '#field!, #getting_data, #########'
  ).split(', '),
);

/** Whether a text is an error that a spreadsheet shows in a cell. */
export const isErrorOfSheet = (text: string): boolean =>
  text.startsWith('#') && errors.has(text.toLowerCase());

/** Zeros with any marks between them, as in an empty UUID. */
const onlyZeros = /^[0.,-]+$/;
const lettersOrDigits = /[\p{L}\p{N}]/u;
/** A word without the brackets, quotes and marks around it: `(blank)`, `<null>`, `"none"`, `k.A.`. */
const bareWord = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;
const plainEnds = /^[a-z\d].*[a-z\d]$/;

/** Whether a text is a word for nothing. Case, brackets and quotes do not matter. */
export const isWordForNothing = (text: string): boolean => {
  const word = text.toLowerCase();
  if (known.has(word)) return true;
  const first = word.charAt(0);
  if ((first === '0' || first === '-') && onlyZeros.test(word)) return true;
  if (plainEnds.test(word)) return false;
  // `\N` is what MySQL writes for a missing value.
  if (word === '\\n' || !lettersOrDigits.test(word)) return true;
  const [bare = ''] = bareWord.exec(word) ?? [];
  return known.has(bare);
};
