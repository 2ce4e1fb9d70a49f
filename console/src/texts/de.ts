/** German texts of the console. */
import type { Texts } from './en.ts';

export const de: Texts = {
  language: 'Deutsch',
  frame: {
    skip: 'Zum Inhalt',
    home: 'Übersicht',
    import: 'Import',
    people: 'Personen',
    segments: 'Segmente',
    screens: 'Seiten',
    find: 'Person suchen',
    signOut: 'Abmelden',
    property: 'Bereich',
    languages: 'Sprache',
  },
  signIn: {
    title: 'Anmelden',
    line: 'Mit dem Konto, das du von deinem Betreiber hast.',
    username: 'Benutzername',
    password: 'Passwort',
    client: 'Client-Id',
    clientHint: 'Dieser Rechner merkt sie sich.',
    submit: 'Anmelden',
    ended: 'Deine Sitzung ist beendet. Melde dich neu an.',
    noProperty: 'Dieses Konto hat noch keinen Bereich. Bitte deinen Betreiber um einen.',
    demo: 'Auf diesem Rechner läuft eine Demo. Anmelden mit einem Klick:',
    as: (name) => `Als ${name} anmelden`,
  },
  parts: {
    loading: 'Lädt',
    tryAgain: 'Noch einmal versuchen',
    close: 'Schließen',
    cancel: 'Abbrechen',
    more: (count) => `${count} weitere zeigen`,
    moreOfUnknown: 'Weitere zeigen',
    shown: (shown, all) => `${shown} von ${all}`,
  },
  problems: {
    noAnswer: 'Der Dienst hat nicht geantwortet. Prüfe deine Verbindung.',
    signedOut: 'Deine Sitzung ist beendet. Melde dich neu an.',
    unknown: 'Auf dieser Seite ist etwas schiefgegangen.',
    forbidden: 'Deine Rolle zeigt das nicht.',
  },
  home: {
    title: 'Heute',
  },
  import: {
    title: 'Datei importieren',
  },
  people: {
    title: 'Personen',
  },
  segments: {
    title: 'Segmente',
  },
};
