/** Known names: the tables of column names as one map from names to fields. */
import { columnNames, type Language, languages, nameKey, type Names } from './column-names.ts';
import { moreColumnNames } from './more-column-names.ts';
import { productColumnNames } from './product-column-names.ts';

/** What a name means in a language. */
export interface Meaning {
  readonly target: string;
  readonly language: Language;
}

const meanings = (): ReadonlyMap<string, readonly Meaning[]> => {
  const found = new Map<string, readonly Meaning[]>();
  const add = (target: string, language: Language, names: string | undefined): void => {
    for (const name of names?.split(',') ?? []) {
      const key = nameKey(name);
      const others = found.get(key) ?? [];
      const isKnown = others.some((other) => other.target === target && other.language === language);
      if (key !== '' && !isKnown) found.set(key, [...others, { target, language }]);
    }
  };
  for (const language of languages) {
    for (const table of [columnNames, moreColumnNames])
      for (const [target, names] of Object.entries<Names>(table)) add(target, language, names[language]);
    if (language === 'en')
      for (const [target, names] of Object.entries(productColumnNames)) add(target, 'en', names);
  }
  return found;
};

/** What each name means, by language in the order of `languages`. */
export const knownNames = meanings();

/** English names that files in other languages have as well, so that they show no language. */
export const international: ReadonlySet<string> = new Set(
  'email,e mail,mail,id,newsletter,name,tag,tags,label,labels,status,sms,mobile,opt in,optin,region,source,channel,social id,facebook id,cell,permission'.split(
    ',',
  ),
);

/**
 * Names that mean something else in another language or in other files: `genre` of music, `état` of an order, `via` which
 * somebody came, the `cap` of a market. They count only beside names of their language, or if the values prove them.
 */
export const doubtfulNames: ReadonlySet<string> = new Set(
  [
    'genre,nom,voie,etat,portable,cp,mel,canal,origine,departement,naissance,anniversaire,revenu,revenus',
    'nombre,genero,estado,piso,origen,poblacion,renta,c p,fuente',
    'nome,genere,via,cap,stato,interno,fonte,eta',
    'land,staat,alter,geb,str,zusatz',
    'pc,naam,plaats',
    'by,kon,lan,sted,stat,kod,kraj,stad,maa,ika,vek,born,barn,distrito,uf,apelido',
    'ad,gen,cim,nem',
  ]
    .join(',')
    .split(','),
);
