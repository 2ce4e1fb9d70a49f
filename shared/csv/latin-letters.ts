/**
 * Latin letters: the pairs of letters that words of European languages have, if one of the two is no letter of ASCII. They
 * were counted in lists of names, places and words. `_` is the start or the end of a word.
 */

/** For each language, its frequent pairs (over 0.7 % of all such pairs), and its other usual pairs. */
export const latinLetters = {
  de: [
    'ßerüürücünaßhöäntäühörhäräätübütmühüärbüönröläöläufülükö_üöhählöösküüskämäötfäültüäcdüwägöämöcäg' +
      'ästöwüügmöäf',
    'eßälißoßß_böädöfnäwösünüödöpfösäbägäöbüdöggüdööm_özüjääßnöümpöußé_ßi_äüpjüßbdäérsöpääbüfzäjööwré' +
      'vößnpüößtézößsö_négékúúhnççoépßlüßßtßkßwßhiöäp',
  ],
  fr: [
    'é_érrétééldélé_éméhéétaïéeémécnéénèréoésépièséëlaëpécéégédéabéévïsèngéoïlè',
    'ébiéèsrèvéïdoééfâtféèvhèïlètmèrêuééiaézégèïmnèèlïnègêthâoënçôtcôyèçorüéqèdï_èmtèsèçaôméjeïhôîtün' +
      'pâdèaîéhêcjéïaênëtänlârômüxéˢ_ᵉˢ_œiᵉônânkévêoîïccèpêbââcvèûrœuézêlᵉ_à_hêrâfèêqmáüghäküüttääfeſèc' +
      'bèûtâlïqrçêm',
  ],
  es: [
    'ónióáníaríñaínróañénláésño_áeñmácóárráértítécátálólítóísácváléiñnácíásíodá',
    'ñeméníuñátuíálmíiégóórélmódínéétsíeóiáréí_á_púómñidógádévíógávúnóláeítsáúlvépáé_gíígósámbéádázfí' +
      'ícídíqrúaíúsuápébópójóécoñsébáágópú_lúó_céífnó_úaúúbgüpí_óóbírzóízuéúñhááfábímhíézúzémsóbíüeóttú' +
      'jígéñusúñójáúdfó_énúúcmúcúóféxzá_ñóyoíéiílípyáfázúébáqféócód_íévájóñózáñaïïsaéaýýn_ºº_áiápépeí',
  ],
  ca: [
    'ó_ióà_ísrààsésríí_uéíeiàènósdítítòròé_làlísààrtàèstèàtèrònògètlòréòlòmòpàl',
    'çanèàcérànuícòmàínòfsínòèmgènàòtòrcànírèítòscèeïmèróuïlènçiòséïnpètómòlófòmícíoïfàírdèòctéúrícè_' +
      'ílüeímífàpfíàvàfvíaïgüàmòbídsògààgïdpíqüípgípàpòcóèlaçïtïsnóècdàúsdòxí_àsèfègòeòèfèxòdígiéívuàbí' +
      'ç_rçbòièèpbànúdólúèdgóénaüyírútúüiíasóçocúnéóruèèifévàòxàqïccébèúllçxómébéxàú_véàbïmoèíqoíyémóvè' +
      'èueà_è_òàxyàpúàuúnfóüíxéxèxò_í',
  ],
  it: [
    'à_tàò_è_ì_ù_ràròlòlìnòlàrècòrìnà',
    'nètìièmèdòrùdàcàhéé_nìsùdìfàlùsòsàcìiàtùaùuèoèpòbìsèzèlèaïïsémtènùdùiùbèmévìbùdèréée',
  ],
  pt: [
    'ãoaççãçaárlíísnçá_ícélíné_ídçorámérítáávréânérõetóílônátórmáítçõáctíhãuíníémás',
    'téúbcééscóétênômví_árónáópiãléaíséiáívóglócí_íóláltôcáãeláã_âmfáécsímíoíírsãótófiçuédédãgêcãúlcâ' +
      'mãnúnófé_épóhépíébósúrjúrãêmígpádíbásáágê_uçtêáfióuáêsnêí_néeícôdôoáíbábáutúaúnâégímrúífdáócmêvé' +
      'uãóvó_éofígúeãlçévjévâpérôçu_âoãmóújíafóaïéiôaónêd_ªª__ºº_ódmõïsgáípzágídótãápsóóblêcêlâeóiírêrâ' +
      'bínôiôéfbéédeábógóiúdêtâmôépúnlôádlãsôlúváeçuê',
  ],
  nl: [
    'rĳiëĳklĳëlë_oëënĳsĳné_ĳ_wĳĳdĳfaëtĳïseëéléewâaïhéâlânoïbĳrénéméhûûsĳv_ĳĳzër',
    'ĳeeĳpĳeïcéördĳĳtdéaälâĳpûnhöĳgzĳïnnĳĳlmĳĳmtéëtoöhĳuĳérïtènféléésïclèébséëdçarêïléolövĳaçnçuëçokû' +
      'ösîtöcärézjéúnmûmë_ãã_fûiïöfhúûkdöêgsâgêêfsëäcoîrôômkĳĳbcĳfĳèruïièĳwĳhoĳvéïdgĳaĳĳasĳ',
  ],
  sv: [
    'örärväröänäläsjöräfö_ööm_åköö_åsläånårsöösövödråjälöätå_öpnäsätäåkhä_äägålhögöönmåmööllågäädävög' +
      'ötåtfämätösåhå',
    'eåkägåvåpåäkäcämågådnööbnåtåbåbädöökkååbäxbööjäföcfåäpåmöfäbléénpänéé_öixåéaööaïïsdäåpåvdå',
  ],
  da: [
    'ørærrøræøssøårvæødløønølækhøæsæn_øø_øjbækøkægålææg_åtømøøbjænøøgælædjøråsæbøætåsgøåbådmæmåævnæ',
    'døtåøvtæføå_ånålågfævååelåhææbkåhåømøf_æpåæmsåøkgæpædæbååvæfxøøepøé_øtnåeåæ_åtdåvøåkåf',
  ],
  nb: [
    'ørøyrøjøsøærlø_øøs_åø_ålønråårhøøkåsvåtødøølødmåvæøvømfømøbøåtåklåøtåggåådånnøhålænæå_',
    'øpbåkåtåøgsæøeåmåfåpætpåræbækøænjænåpøvøåvåeælsåøfhægøjåøafæéeléægæftæaïïsé_øbiøtéåbeå_æåidå',
  ],
  is: [
    'iðaððiðuðað_rðjóáluððsæð_þólræráöróróðöllí_óármájöót_ájááttöögrí',
    'róvílöækónöntííkósísútætærúsrúókeðlæíðéláðkótæómhátóréétásímláöföððr_úgðsövæbúvöökðlþrsóhúbóoðþj' +
      'ífféælínsíýrlóröúnhæðnhödóná_öbæáníljúðfófsáænmóúrðvfæ_íægúðmæítýssýámhóæmkáfólýsænæúkötákmöðbný' +
      'ðgýngötú_æðhúlíufðópáféræfköföæságþirýðjáhvéössékúbíígógþeðmnúávírþogæþykípínídýá_yðýðlúkýúagófá' +
      'rþaþýtíagáúfýlkæmúþubámíábdæóvóhædþvlþéfsþbötáðkæjúmömpáúpþaléóbtýsúðtdíþónóúgpófíúinþóaðeóudábý' +
      'öpíbtéýjó_',
  ],
  fi: ['lää_äiänpämävähäämjääkkäässäälärräaïïsääätäy', ''],
  pl: [
    'ć_ówącłojąłańsaćałięośołińsłró_ł_śłuórańń_kó_żżaęcślśćędełiążenóyńścnągóśweń',
    'śnłyeśębzóyśgłżyzępłętkłićł_łkółódząż_ożbłzłąsłehóąbaśeżażońą_iłpówłś_lątódłśmyżężżołcłórąępłęńc' +
      'ęgękkęjóżurębóułątągłbwóiśećżnźnęsądłtyłwęójióóżyćdżdęwąjęąłlęoźdźólłątęcłążąćdąmłąwłmuńużąkdótł' +
      'łsrł',
  ],
  cs: [
    'á_vákáí_ý_níánnýký_šřeíkněšínávýráčečkávpřínějjšlílářišt',
    'cíičákšokéříčitě_čícšeškvěé_ečáltřušjíácéhtíešoštáátárašišzáši_žačvížeháírořařě_ářmíáčěnděčočííč' +
      'týčnětádžiočřspámáožkřš_ňořoměámužučběčadášabíělažásvépíázbáů_sáášiáůvnčč_bř_úímít_řábísrůšpléíl' +
      'ýcrčžn',
  ],
  sk: [
    'á_vájškáý_ť_nášišíár_ššonýníaťíméhíkkéráánkýiččiínští_škláícé_čo',
    'čevýšeaščnošjúžinéeľačtá_čálzáúcš_ešávušňolíčaácsťákríčkľaočtíišiť_žečátľuírmáú_hážešančýc_ľľoám' +
      'áčažádmíežiávípáužučšuňaľnčíč_žnnúťaožášbásátétýdážažoýmrúúrtúcíbíoľšpívásábsíeňsúážjč_úrčväíčkú' +
      'šťón',
  ],
  hu: [
    'áránásó_álráváő_áténláérsámáhátáázörzálóéskáköágádképáölétréélékbátótéácnásélélő',
    'zéóséggávéróösjáítzőüliódánémétőröős_öáköntöök_áújötyökósóyáámábső_éíródótőrdébéépiáórgégófüzóóc' +
      'jóövözlöútózédápzöúr_údősöpévötúémókdöhéőlógkőyíű_ömfönóé_écévgöféögávükürónsíyőóóődézízrőóldópö' +
      'főyé_óbö_őbósüküvíkúőkmóyűzíívödőttüpónőyósúzüófün',
  ],
  ro: [
    'ă_şttăeşţirăâncăţaăriţăllăînş_măuţişăunţşi_îuşănaşnăbăătaţsăârăiză_şdăşoşapăgăeţţăădăcşetârâ',
    'oşţ_ămăşcâfăăgţeeîăsăţâmsâvăzâăvăbăpvâăzmâ_ţîmşcşurşşnhănâpâhâgâbââiţulţcşâlşălâoţrîăe',
  ],
  hr: [
    'ićć_ačiččačičk_šaščeštšaiššićaži_čšeušćiešžačnošškžeažućučožečćeč__žđeočužnčšnš_',
    'ećeždžršađžnrčeđđaaćčuižđižuržšošućkščšćoćšlđušp_đođuđvč_ćždćbpčnšjčrđ',
  ],
  sl: [
    'čačeičočškšečinč_šišščč_ečačžeešaššivčšajšžaežšt_čošrčži_žožčnjčušršlčnšš_až',
    'čkžnuččuužšnćeićižržčrvšdčtčžučlšlbčšošumčžlž_lššpčjdžčopč',
  ],
  lt: [
    'ė_išškkėnėėjlėči_štėžiėtši_žštkšėsėldėrėvėšaūnašiūužžasėgėaždžeššl',
    'ušėnršbėrū_čmėūkičžešvpėžušn_įūrežšėšežvšuižūdkūžėščtūučėdžyošėkpūožždečržžožtūslūšmšoėgdūsčpšžl' +
      'šyaččeūgėrbūkčūtąsgžnčyšmšžkįsėž',
  ],
  lv: [
    'āriņētītātnātālīājņarātīrīīnējālpāērš_ņšībdīkāmāņuānlēīgīdrētēļulā',
    'vīrūīvķikšvāācšaiķļa_šzīnīpēmīšķķesēvēīrdāģimēādjāābģesīdēēnūdzēšuāveņās_āeļcēīsaļūrlūbīsācīūkgā' +
      'žanē_ķžuešīkaņpībāķēēdišbēīcīlzāiāēsjēež_žuļjūušošēkašēlūniļ_ččašiēztūīzūsķudžažēmķašo_ģā_žepļkļ' +
      'čuāzāmūtoģņiījākžioņšscāāņižoļļoņo_ūķīīšāf',
  ],
  et: [
    'käärõrkõõn_õäuõhräsõääüüäsõisülõöövävõänõlnääimõpõkümäüntüüljäõõähühältõõulätäüm_üürlürühäüsnõpä' +
      'hüütrõ',
    'sä_ähõõmmüüppüõpörüküdõkäkätjõäpägõtõs_ðtöämäbkölötððiügõbõgrönüðeädsöðaõdögaþõeþiökpöõvmöönäeþe' +
      'üb_ööbölüvnööddþömötðð',
  ],
  tr: [
    'ınğiı_ğıağdılıaşıriğılığoğtış_eğgü_çıkkıızğarıçamıülnışteşğlımşaürün_şşesıç_çe_öaççiışuğişcııy',
    'yıözgöuşükçışıbüşitüörzınçmüğurüdülüğ_ü_kçümüzböeçşlğrönşmçurçiç_üküökgığdbıhüüşützüsüğüyüüsüğuç' +
      'ölköıcnüıpıtçopılçşkkşğeıs',
  ],
} as const;
