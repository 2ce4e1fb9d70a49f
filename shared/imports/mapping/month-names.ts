/** Month names: what the months are called in files, in the languages of headers and their neighbours. */

/**
 * The names of each month without accents, in lower case: full names, forms after a day, and abbreviations. No name stands
 * for two months in these languages. Croatian is left out, because its `listopad` is another month than that of Polish.
 */
const names: readonly string[] = [
  'january jan januar janner jan janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty januar leden ledna ledna tammikuu tammikuuta ocak январь января янв',
  'february feb februar feber fevrier fevr febrero febbraio februari fevereiro fev luty lutego lut unor unora helmikuu helmikuuta subat февраль февраля фев',
  'march mar marz mrz maerz mars marzo maart mrt marco marzec marca marts brezen brezna maaliskuu maaliskuuta mart март марта мар',
  'april apr avril avr abril abr aprile kwiecien kwietnia kwi duben dubna huhtikuu huhtikuuta nisan апрель апреля апр',
  'may mai mayo maggio mag mei maio maj maja kveten kvetna toukokuu toukokuuta mayis май мая',
  'june jun juni juin junio giugno giu junho czerwiec czerwca cze cerven cervna kesakuu kesakuuta haziran июнь июня июн',
  'july jul juli juillet juil julio luglio lug julho lipiec lipca lip cervenec cervence heinakuu heinakuuta temmuz июль июля июл',
  'august aug aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna elokuu elokuuta agustos август августа авг',
  'september sep sept septembre septiembre settembre set setembro wrzesien wrzesnia wrz zari syyskuu syyskuuta eylul сентябрь сентября сен',
  'october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz rijen rijna lokakuu lokakuuta ekim октябрь октября окт',
  'november nov novembre noviembre novembro listopad listopada listopadu lis marraskuu marraskuuta kasim ноябрь ноября ноя',
  'december dec dezember dez decembre diciembre dic dicembre dezembro grudzien grudnia gru desember des prosinec prosince joulukuu joulukuuta aralik декабрь декабря дек',
];

const months: ReadonlyMap<string, string> = new Map(
  names.flatMap((list, index) =>
    list.split(' ').map((name) => [name, String(index + 1).padStart(2, '0')] as const),
  ),
);

/** The number of a month, `01` to `12`, from its name in any case; `undefined` for another word. */
export const monthNamed = (text: string): string | undefined => {
  const known = months.get(text.toLowerCase());
  if (known !== undefined) return known;
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i');
  return months.get(plain) ?? months.get(plain.normalize('NFC'));
};
