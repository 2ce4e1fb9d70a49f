/**
 * Country names: codes and spellings of countries that the names of the library of languages (`Intl.DisplayNames`) lack,
 * for `readCountry`.
 */

/** Countries and territories of ISO 3166-1: the code of two letters and the one of three. `XK` and `AC` are in use, too. */
export const isoCodes =
  'ACASC ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TATAA TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ZAZAF ZMZMB ZWZWE';

/**
 * Codes on vehicles as address lists in Europe use them. The rarer ones of one letter are left out: `M` is no Malta in most
 * files. Where a code of ISO means another country, ISO is right.
 */
export const vehicleCodes: Readonly<Record<string, string>> = {
  AT: 'A',
  AU: 'AUS',
  BA: 'BIH',
  BE: 'B',
  CA: 'CDN',
  CL: 'RCH',
  DE: 'D',
  ES: 'E',
  FI: 'FIN',
  FR: 'F',
  HU: 'H',
  IE: 'IRL',
  IT: 'I',
  KR: 'ROK',
  LI: 'FL',
  LU: 'L',
  MK: 'NMK',
  NO: 'N',
  PT: 'P',
  RU: 'RUS',
  SE: 'S',
  SI: 'SLO',
  SM: 'RSM',
  XK: 'RKS',
};

/** Other spellings, delimited by semicolons. They are compared as `countryKey` writes them. */
export const otherNames: Readonly<Record<string, string>> = {
  AE: 'UAE; VAE; Emirates',
  AT: 'Republik Österreich; Republic of Austria',
  AU: 'Commonwealth of Australia',
  BA: 'Bosnia; Bosnien; Bosnia-Hercegovina',
  BE: 'Königreich Belgien; Kingdom of Belgium; Belgien Belgique',
  BO: 'Plurinational State of Bolivia; Bolivia, Plurinational State of',
  BN: 'Brunei Darussalam',
  BY: 'Belorussia; Weissrussland; Weißrußland',
  CD: 'DR Congo; D.R. Congo; DR Kongo; Democratic Republic of the Congo; Congo, Democratic Republic of the; Congo, the Democratic Republic of the; Demokratische Republik Kongo; Zaire',
  CG: 'Republic of the Congo; Congo, Republic of the; Republik Kongo',
  CH: 'Swiss; Confoederatio Helvetica; Schweizerische Eidgenossenschaft; Swiss Confederation; Suisse Schweiz',
  CI: 'Ivory Coast; Elfenbeinküste; Costa de Marfil; Costa d’Avorio; Ivoorkust; Costa do Marfim; Elfenbenskysten; Elfenbenskusten',
  CN: 'PR China; P.R. China; PRC; VR China; Volksrepublik China; People’s Republic of China; Mainland China; China mainland',
  CV: 'Cape Verde; Cabo Verde',
  CZ: 'Czech Republic; Czech Rep.; Tschechische Republik; Tschechei; ČR; République tchèque; Repubblica Ceca; República Checa; Tsjechische Republiek; Republika Czeska; Česká republika',
  DE: 'BRD; Bundesrepublik Deutschland; Federal Republic of Germany; Germania; Alemagne; Deutchland; Deutschl.; République fédérale d’Allemagne',
  DK: 'Kongeriget Danmark; Kingdom of Denmark',
  DO: 'Dominican Rep.',
  ES: 'Reino de España; Kingdom of Spain',
  FM: 'Micronesia, Federated States of; Federated States of Micronesia',
  FR: 'France métropolitaine; Metropolitan France; République française; French Republic; FX',
  GB: 'UK; Great Britain; Britain; England; Scotland; Wales; Northern Ireland; United Kingdom of Great Britain and Northern Ireland; Großbritannien; Schottland; Nordirland; Grande-Bretagne; Royaume Uni; Angleterre; Écosse; Pays de Galles; Gran Bretagna; Inghilterra; Scozia; Galles; Gran Bretaña; Inglaterra; Escocia; Gales; Groot-Brittannië; Engeland; Schotland; Wielka Brytania; Anglia; Storbritannien; Storbritannia; Reino Unido de Gran Bretaña; GB-ENG; GB-SCT; GB-WLS; GB-NIR; ENG; SCT; WLS; NIR; GB-UKM; イギリス; 英国',
  GR: 'EL; Hellas; Hellenic Republic',
  HK: 'Hong Kong SAR; HKSAR; Hongkong',
  HU: 'Magyarország; Republic of Hungary',
  IE: 'Republic of Ireland; Eire; Irish Republic; Republik Irland',
  IR: 'Iran, Islamic Republic of; Islamic Republic of Iran',
  IT: 'Repubblica Italiana; Italian Republic; Italia Italy',
  JP: 'Nippon; Nihon; 日本国',
  KP: "Korea, Democratic People's Republic of; Korea, North; DPRK; North Korea; Democratic People's Republic of Korea",
  KR: 'Korea, Republic of; Korea, South; Republic of Korea; South Korea; Republik Korea; 대한민국; 韓国',
  LA: "Lao People's Democratic Republic; Lao PDR",
  LI: 'Fürstentum Liechtenstein; Principality of Liechtenstein',
  LU: 'Grand-Duché de Luxembourg; Großherzogtum Luxemburg; Luxembourg Luxemburg; Lëtzebuerg',
  MD: 'Moldova, Republic of; Republic of Moldova; Moldavia; Moldawien',
  MK: 'Macedonia; Mazedonien; FYROM; Macedonia, the Former Yugoslav Republic of; Republic of North Macedonia; Macédoine; Republic of Macedonia',
  MM: 'Burma; Birma; Birmanie; Myanmar',
  MO: 'Macau; Macao; Macau SAR; Macao SAR',
  NL: 'Holland; The Netherlands; Netherlands, The; Netherland; Kingdom of the Netherlands; Koninkrijk der Nederlanden; Hollande; Olanda; Holanda; Holandia; die Niederlande',
  PS: 'Palestine, State of; State of Palestine; Palestine; Palästina; Palestinian Territory, Occupied',
  RU: 'Russian Federation; Russische Föderation; Fédération de Russie; Российская Федерация; РФ',
  SK: 'Slovak Republic; Slowakische Republik; Slovenská republika; République slovaque',
  SY: 'Syrian Arab Republic',
  SZ: 'Swaziland; Swasiland',
  TR: 'Turkey; Türkiye; Turkiye; Republic of Turkey; Türkei',
  TW: 'Taiwan, Province of China; Taiwan, Republic of China; Republic of China; 台湾; 臺灣',
  TZ: 'Tanzania, United Republic of; United Republic of Tanzania',
  US: 'USA; United States of America; US of A; United States (US); The United States; Vereinigte Staaten von Amerika; Vereinigte Staaten; États-Unis d’Amérique; Estados Unidos de América; EE.UU.; EEUU; EUA; Stati Uniti d’America; Verenigde Staten van Amerika; Stany Zjednoczone Ameryki; Förenta Staterna; De forente stater; De Forenede Stater; アメリカ; アメリカ合衆国; 米国; 美国; 美國; 미국; США; Соединенные Штаты Америки',
  VA: 'Holy See; Holy See (Vatican City State); Vatican; Vatikan',
  VE: 'Venezuela, Bolivarian Republic of; Bolivarian Republic of Venezuela',
  VN: 'Viet Nam; Socialist Republic of Vietnam',
  XK: 'XKX; XKK; Republic of Kosovo; UNK',
};

/** Names that mean different countries in different languages, as `countryKey` writes them. They are read as none. */
export const ambiguousNames: ReadonlySet<string> = new Set(['kongo', 'korea', 'virgin islands']);
