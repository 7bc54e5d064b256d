/** German verbs and nouns of requests; see `lexicon.ts`. Verbs with a separable part are written together. */
import type { LanguageData } from './lexicon.js';

export const german: LanguageData = {
  functions: `
    the der die das den dem des, a ein eine einen einem einer eines, of von vom, in in im, on auf, to zu zum zur an ans nach,
    for fur fuer furs, with mit, from aus ab, by bei durch uber ueber, and und, or oder, then dann danach anschliessend, my
    mein meine meinen meinem meiner, our unser unsere unseren unserem unserer, your dein deine deinen deinem ihr ihre ihren,
    this dieser diese dieses diesen diesem, that dass jener jene, all alle allen aller alles samtliche, me mir mich, i ich,
    we wir uns, it es er sie ihm ihn ihnen sich, is ist sind gibt war wurde wird, not nicht kein keine keinen, if wenn falls
    ob, about betreffend, between zwischen, without ohne, what was welche welcher welches welchen, who wer wen wem, when
    wann, how wie, where wo, please bitte mal doch, want will mochte moechte wollen brauche soll sollen kannst konntest
    koennen kann konnen muss mussen du habe hast hat haben wurdest gerne, also auch noch ausserdem, until bis, only nur,
    now wieder um vor am gerade hier jetzt nochmal schon eigentlich einfach bloss drin dazu zuletzt beim her hin
    frau herr herrn gar etwa denn eben hab habe hatte brauchen brauch, more mehr, how_many wie_viele wieviele wie_viel, be sein werden, as als, them_all alle_davon, so so, since seit,
    out raus rein, there da dabei daran dran daraus damit dafur davon, but aber, one eins, them deren denen, who
    wessen, so also, are waren wart seid, again erneut, very sehr, out weg, let lass lasst, should sollte sollten darf
    durfen,
    still immer_noch, already bereits, always immer, something etwas was_anderes, somebody jemand jemanden jemandem,
    everyone jeder jede jedem jeden, nobody niemand keiner, nothing nichts, why warum weshalb wieso, because weil da_ja, but
    sondern, before bevor, after nachdem, during wahrend, against gegen, under unter, above oben, below unten, inside
    drinnen, outside draussen, back zuruck, down runter, up hoch rauf, too zu_viel, less weniger, enough genug, almost
    beinahe, soon bald, immediately sofort gleich, quickly schnell, maybe vielleicht, about ungefahr, together zusammen,
    first zuerst erste ersten erster, second zweite zweiten zweiter, third dritte dritten, once einmal, again nochmals, same
    gleichen gleiche selbe selben, other andere anderen anderes, every jeden_tag, many viele vielen, some einige paar
    manche, both beider, whole ganze ganzen ganz, most meisten meiste, thanks danke dankeschon, hello hallo moin, ok okay
    passt, yes ja, had hatten, done gemacht getan, now nun, later spater, ago vorhin, until_now bisher, instead stattdessen
    statt, just nur_kurz kurz, there dort da_druben, here hierher, mine meins, they die_da,
    is steht stehen liegt liegen sitzt steckt stand, i ich_bin bin_ich, a ne nen ner nem, in ins, him rum herum, already
    langst, please leider freundlichen grussen gruss grusse liebe lieber mfg lg geehrte geehrter ubrigens sozusagen
    mal_eben, know weisst weiss_ich kenne kennt, his seine seinen seinem seiner seines, their ihres, otherwise sonst,
    here hierzu dafur_bitte, over druber, under drunter, in_it drinsteht, from heraus, every jedes, that solche solchen,
    such solch, where wohin woher, what wofur wozu womit worum woran, how_long wie_lange, how_often wie_oft, until_when
    bis_wann, some welche_davon, one einen_davon, must musst musste mussten, should durfte durften konnte konnten, would
    wurde_gern, as sobald solange, while wahrend_wir, all samtlichen alles_was, nobody niemandem keinem, me mirs, we
    uns_alle, quite ziemlich, just eh, exactly genau, at_all uberhaupt, directly direkt, of bezuglich bzgl wegen, incl
    inkl inklusive, than denn_je, now heutzutage`,
  verbs: `
    create vorbereiten, create erstellen anlegen erzeugen erstelle eroffnen machen mach einrichten generieren, add hinzufugen fuge_hinzu
    einfugen erganzen aufnehmen eintragen hinterlegen, delete loschen losch vernichten, remove entfernen rausnehmen
    herausnehmen wegnehmen, update aktualisieren bearbeiten andern anpassen korrigieren, change wechseln umstellen
    verandern, rename umbenennen benennen benenne_um nennen, set setzen setz stellen einstellen festlegen konfigurieren, send
    senden schicken sende verschicken versenden schick zusenden abschicken, reply antworten beantworten, forward weiterleiten, show
    zeigen zeig anzeigen ansehen anschauen sehen, get holen hol abrufen abfragen geben gib bekommen besorgen wissen
    ausgeben auslesen, list auflisten listen aufzahlen, search suchen such durchsuchen recherchieren, find finden find
    heraussuchen raussuchen, open offnen aufmachen, read lesen lies vorlesen, download herunterladen runterladen lade_herunter,
    upload hochladen lade_hoch, export exportieren, import importieren, move verschieben verschieb bewegen, copy kopieren,
    duplicate duplizieren, share teilen freigeben, invite einladen, assign zuweisen zuordnen, close schliessen abschliessen
    zumachen, complete erledigen abhaken fertigstellen beenden, mark markieren kennzeichnen, cancel absagen stornieren
    abbrechen kundigen, archive archivieren, restore wiederherstellen, publish veroffentlichen, post posten, schedule planen
    einplanen terminieren ansetzen, reschedule verlegen vertagen umplanen, start starten beginnen anfangen, stop stoppen anhalten,
    pause pausieren, resume fortsetzen weitermachen, run ausfuhren, enable aktivieren einschalten anschalten, disable
    deaktivieren ausschalten abschalten, approve genehmigen freigeben_lassen, reject ablehnen, accept annehmen akzeptieren,
    merge zusammenfuhren zusammenlegen mergen, lock sperren, unlock entsperren, subscribe abonnieren, unsubscribe abbestellen
    abmelden, follow folgen, unfollow entfolgen, like liken, pay bezahlen zahlen, charge abbuchen belasten, refund erstatten
    zuruckerstatten ruckerstatten zuruckzahlen, buy kaufen, order bestellen bestell, book buchen reservieren, check prufen
    uberprufen kontrollieren nachsehen checken, verify verifizieren validieren, count zahlen_wie, calculate berechnen
    ausrechnen rechnen, convert umwandeln umrechnen konvertieren, translate ubersetzen, summarize zusammenfassen fass
    fasse_zusammen, compare vergleichen, analyze analysieren auswerten, write schreiben schreib verfassen, save speichern
    sichern, attach anhangen, block blockieren, notify benachrichtigen informieren, remind erinnern, connect verbinden,
    disconnect trennen, sync synchronisieren, track verfolgen, record erfassen aufzeichnen notieren protokollieren, call
    anrufen, ask fragen, sign unterschreiben signieren, print drucken ausdrucken, play abspielen spielen spiel, mute stummschalten stumm, pin anheften anpinnen, sort sortieren, filter filtern, replace ersetzen austauschen, clear leeren
    aufraumen, leave verlassen, join beitreten, deploy ausrollen deployen bereitstellen, build bauen, test testen, scan
    scannen, extract extrahieren, transcribe transkribieren, draw zeichnen, resize skalieren, compress komprimieren,
    submit einreichen, describe beschreiben, explain erklaren, tag taggen, comment kommentieren, review durchsehen, link
    verknupfen verlinken, hide ausblenden verstecken, reset zurucksetzen, retry wiederholen, split aufteilen, transfer
    uberweisen ubertragen, suspend aussetzen, revoke widerrufen entziehen, grant gewahren erteilen, crop zuschneiden,
    predict vorhersagen, solve losen, browse durchstobern, visit besuchen aufrufen, evaluate auswerten_lassen, multiply
    multiplizieren multiplizier, divide dividieren, round runden,
    win gewinnen gewonnen, lose verlieren verloren, sell verkaufen verkauft, forget vergessen, fix reparieren beheben
    behoben, rent vermieten vermietet mieten, hire einstellen_als, remove wegwerfen schmeissen, add nachtragen
    trag_ein, pay begleichen, deliver liefern,
    take nehmen nimm nimmt, put legen leg, pull ziehen zieh, bring bringen, come kommen kommt, go gehen geht, stay bleiben
    bleibt ubrig, need benotigen benotigt braucht, owe schuldet, earn verdienen verdient, cost kostet, consume verbrauchen
    verbraucht, grow wachsen gewachsen wachst, increase erhohen steigern, reduce senken verringern, improve
    verbessern, finish fertig fertigmachen, begin losgehen, work arbeiten gearbeitet, function funktionieren funktioniert
   , leave lassen, hold halten halt, keep behalten, sign_in einloggen, sign_out ausloggen, register registrieren
    anmelden, clock_in einstempeln eingestempelt, clock_out ausstempeln ausgestempelt, withdraw zuruckziehen abheben, drop
    streichen, promote befordern, fire entlassen, recommend empfehlen empfiehl, suggest vorschlagen, discuss besprechen,
    speak sprechen spricht reden, tell sagen sag sagt, explain erlautern, report melden gemeldet, decide entscheiden,
    measure messen miss, weigh wiegen, cook kochen, eat essen_gehen, clean putzen reinigen saubern, deliver ausliefern,
    arrive ankommen angekommen, pack einpacken packen, lose verloren_gegangen, break kaputt, solve gelost, wait warten,
    watch zuschauen, listen horen anhoren, learn lernen, teach unterrichten, enroll einschreiben, grade benoten, unlock
    aufsperren, ban verbannen, kick rauswerfen, hang_up auflegen, turn_on anmachen, turn_off ausmachen, charge aufladen,
    restart neustarten neu_starten, roll_back zuruckrollen, migrate migrieren umziehen, index indexieren, crawl
    durchforsten, detect erkennen, classify einordnen klassifizieren, match abgleichen, forecast prognostizieren, rank
    einstufen,
    remind erinnere mahnen, nudge anstupsen nachhaken, reply antworte, forward weitergeben, call_back zuruckrufen, pick_up
    abholen, drop_off abgeben, lend verleihen geliehen verliehen, borrow ausleihen, exchange umtauschen tauschen, return
    zuruckschicken, pay gezahlt bezahlt uberwiesen, sell ausverkauft, answer beantwortet, confirm bestatigen bestatige,
    accept zusagen, decline absage ablehne, postpone verschiebe aufschieben, bring_forward vorziehen, shorten kurzen, extend
    verlangern, renew erneuern, expire ablaufen lauft_ab, swap umtausch, cover einspringen vertreten, hire einstellen_neu,
    thank bedanken, apologize entschuldigen, congratulate gratulieren, hang aufhangen, stick kleben, cut schneiden,
    throw_out rauswurf, tidy ordnen sortiere, open geoffnet, switch_on einschalte, set gestellt, lower leiser runterdrehen,
    raise lauter hochdrehen, wake wecken weck, look gucken schau nachschauen, see gesehen, think denken, happen passiert,
    fall gefallen abgesturzte, rise gestiegen, miss verpasst, wear tragen, help helfen hilf, tag markiere, log
    eintragen_ins, swipe wischen, pack zusammenpacken,
    retweet retweeten, clone klonen klone, restore einspielen zuruckspielen, unsubscribe austragen, sign_up eintragen_in,
    take_over ubernimmt ubernehmen ubernimm, sign unterschrieben, get kriegen kriegt bekommen_hat, change geandert, write
    geschrieben, say gesagt, exist gibt_es gibts, mean heisst bedeutet, use benutzt nutzt verwendet, forget vergiss, freeze
    einfrieren eingefroren, deploy ausgerollt, escalate eskalieren, join eintreten, travel reisen verreisen, breed zuchten,
    rain regnen regnet, freeze_over friert,
    add trag trage trug eingetragen reinschreiben reinpacken dranhangen zufugen beifugen reinnehmen reinsetzen, attach
    hang hange dranmachen angehangt, remove nimm_raus nimm_weg wegmachen rausschmeissen rausgenommen streich gestrichen
    wirf_raus herausgenommen abziehen, delete schmeiss_weg wirf_weg weggeworfen wegschmeissen loswerden gestorben
    ausradieren entsorgen entsorg, cancel flach_fallen fallt_flach fallt_aus ausfallen ausgefallen platzt brich brich_ab
    abblasen sag_ab storniere stornier gecancelt canceln zurucktreten, set gesetzt festgelegt, create anlege aufsetzen
    aufsetz mach_auf schreib_auf ausstellen ausgestellt stell_aus lege_an neu_anlegen ins_leben_rufen, update anpassung
    uberarbeiten uberarbeite abandern abgeandert verbessere nachbessern, change tausch_aus umandern umschreiben
    umtragen, correct berichtigen berichtige richtigstellen, see sieht seht sehe sah schau_nach reinschauen guck
    geguckt, show zeigt zeigst anzeig auffuhren, tell sage verrate verrat mitteilen teile_mit meinte meint, know_more
    erfahren, find fand gefunden aufspuren ausfindig_machen rausfinden herausfinden, get bekam bekommen_haben bekommst
    erhalten erhielt gekriegt hol_mir, give gab gibst ubergeben aushandigen, take nahm, receive eingegangen eingehen
    reingekommen kam_an, submit abgegeben eingereicht reich_ein, write schrieb schreibst aufschreiben aufgeschrieben
    niederschreiben tippen getippt formulieren formuliere, read liest las durchlesen vorgelesen, call rief ruf rufe
    anruf_bei telefonier telefonieren angeklingelt durchklingeln, notify bescheid sag_bescheid gib_bescheid
    bescheid_geben bescheid_sagen benachrichtige verstandigen melde_dich, remind erinnert erinnere_mich dran_denken
    denk_dran, remember merk merke merken gemerkt, send ging_raus rausgeschickt rausschicken rausgeht schick_raus
    abgeschickt losgeschickt zukommen_lassen ubermitteln nachschicken mitschicken, resend nochmal_schicken
    erneut_senden, forward reich_weiter weiterreichen weitergeleitet weiterschicken, move schieb schiebe geschoben
    verleg verlege verlegt umlegen ruberschieben zieh_um umgezogen verlagern umsortieren, postpone vertagt
    hinausschieben nach_hinten verschob, bring_forward vorverlegen, assign eingeteilt zugeteilt zuweis ubertrag
    ubertrage betrauen kummert kummere kummern, share freigegeben teilen_mit zuganglich_machen, block geblockt blocken
    sperre ausgesperrt, lock absperren abgeschlossen, unlock aufschliessen entsperre, close zugemacht mach_zu
    dichtmachen schliess, complete geschafft fertiggestellt fertig_gemacht hak_ab beendet vollendet erledige, start
    losgeht loslegen ging_los fang_an angefangen leg_los anwerfen, stop aufhoren hor_auf halt_an gestoppt, end endet
    endete zu_ende, run lauft lief durchlaufen laufen_lassen, restart hochfahren neugestartet, fix repariert behebe
    gefixt flicken, break kaputtgegangen kaputt_gegangen, fail scheitert scheiterte abgestuerzt, pay bezahlte beglichen
    uberwies zahle zahlt, buy kaufte kaufe besorg, sell verkaufte, order bestellte nachbestellen nachbestellt, charge
    berechne berechnen_fur abgebucht, refund erstatte zuruckuberweisen geld_wieder, spend ausgegeben, save gespeichert
    sicher sichere aufbewahren aufheben merk_dir, keep behalte, search suchte gesucht stobere, count zahl_durch
    durchzahlen, calculate rechne_aus zusammenrechnen zusammengerechnet, compare vergleich vergleiche verglichen
    gegenuberstellen, check schau_ob kontrolliere kontrollier uberprufe check_ob nachprufen, verify bestatige_ob,
    confirm sag_zu zugesagt, decline abgelehnt abgesagt_haben lehne_ab, accept nehme_an angenommen einwilligen, approve
    genehmigt absegnen abgesegnet durchwinken abnicken, join mitmachen beitrete trat_bei dazukommen, leave_group
    austreten ausgetreten trat_aus, leave freimachen freinehmen frei_nehmen, quit gekundigt aufgehort, invite eingeladen
    dazuholen hol_dazu hinzuziehen, meet treffen trafen getroffen treff, talk gesprochen sprach besprochen unterhalten,
    ask fragte gefragt nachgefragt nachfragen erkundigen, answer geantwortet beantworte zuruckschreiben schreib_zuruck,
    publish rausbringen poste_das onlinestellen online_stellen, schedule plan_ein angesetzt, book reservier reserviere
    buche, draw zeichne male malen skizzieren skizziere, record mitschneiden aufnahm aufgenommen schneid_mit, watch
    anschaue anschauen_wollen guck_an, listen hor_an, translate ubersetze ubersetz, summarize fass_zusammen
    zusammenfass, explain erklar erklare, extract herausziehen zieh_raus auslese, convert wandle_um umgewandelt
    mach_daraus rechne_um, merge leg_zusammen fuhr_zusammen vereinen, split teil_auf aufsplitten, sort ordne
    reihenfolge_andern, filter eingrenzen, hide verbergen unsichtbar_machen, mute leise_stellen, turn_on schalt_ein
    mach_an schalt_an, turn_off schalt_aus mach_aus schalt_ab abstellen stell_ab, raise hochsetzen raufsetzen erhohe
    anheben, lower runtersetzen senke herabsetzen, extend verlangere verlangert, shorten abkurzen, renew verlangerung
    erneuere, subscribe abonniere, unsubscribe austrag aus_dem_verteiler, sign unterschrieb unterzeichne, print druck
    drucke ausgedruckt, test probier probiere ausprobieren teste, deploy rausgebracht, measure gemessen, deliver liefere
    zustellen geliefert zugestellt, arrive ankommt ankam eintreffen angekommen_ist, return zuruckgeben retournieren
    zuruckgeschickt, exchange eintauschen, happen passierte geschah geschehen vorgefallen, need brauchst brauchte
    benotige, go ging gingen gehst, come kam kamen gekommen komm, work arbeite, drive fahr fahre gefahren fuhren_wir,
    land gelandet, suggest schlag_vor schlage_vor, help geholfen, forget vergass, lose verliert verlor, win gewann
    gewinnt, rotate dreh drehe drehen, type abtippen abgetippt, manage verwalte verwaltung_von, learn lernte gelernt,
    live wohnt wohnen, move_out ausgezogen ausziehen, remain verbleiben verbleibt ubriggeblieben, die verstorben`,
  nouns: `
    email mail mails e_mail e_mails, inbox posteingang postfach, message nachricht nachrichten, channel kanal kanale, conversation
    unterhaltung gesprach, thread faden, reply antwort, draft entwurf entwurfe, attachment anhang anhange, label etikett
    beschriftung, folder ordner verzeichnis, file datei dateien, document dokument, page seite, note notiz, notebook notizbuch, task
    aufgabe, subtask unteraufgabe, list liste, project projekt, board pinnwand, card karte, column spalte, checklist
    checkliste, comment kommentar, mention erwahnung, reaction reaktion, issue problem vorgang, ticket ticket, bug fehler_im_code,
    repository repo repository, branch zweig, release veroffentlichung, code quellcode, workflow ablauf arbeitsablauf,
    deployment bereitstellung, environment umgebung, variable variable, secret geheimnis, key schlussel, event ereignis
    veranstaltung, calendar kalender, meeting besprechung sitzung, appointment termin termine, reminder erinnerung,
    invitation einladung, attendee teilnehmer gast gaste, availability verfugbarkeit, schedule zeitplan dienstplan, contact
    kontakt, customer kunde kunden kundin, company firma unternehmen, organization organisation, lead interessent, deal
    geschaft, opportunity verkaufschance chance, quote angebot kostenvoranschlag, order bestellung auftrag, cart warenkorb,
    product produkt, item artikel_im_shop posten eintrag eintrage, price preis, discount rabatt, coupon gutschein, inventory bestand
    lagerbestand lager, shipment sendung lieferung_unterwegs, package paket, address adresse anschrift, store laden, invoice
    rechnung rechnungen, payment zahlung bezahlung, refund erstattung ruckerstattung, subscription abonnement abo, plan
    tarif, balance saldo guthaben kontostand, account konto konten, transaction transaktion buchung umsatz, transfer
    uberweisung, receipt beleg quittung, expense ausgabe ausgaben spesen, budget budget, tax steuer, credit kredit, dispute
    streitfall, vendor lieferant, employee mitarbeiter angestellter, candidate bewerber kandidat, job stelle, application
    bewerbung, vacation urlaub, leave abwesenheit, payroll gehaltsabrechnung, salary gehalt, shift schicht, team mannschaft,
    member mitglied mitglieder, user benutzer nutzer anwender, group gruppe, role rolle, permission berechtigung
    recht_zugriff, access zugriff zugang, password passwort kennwort, profile profil, photo foto, image bild bilder, video
    film, song lied, playlist wiedergabeliste, artist kunstler, recording aufnahme aufzeichnung, transcript mitschrift
    transkript, translation ubersetzung, language sprache, text text, summary zusammenfassung, report bericht auswertung,
    chart diagramm, dashboard armaturenbrett ubersicht, statistics statistik, metric kennzahl, analysis analyse, spreadsheet
    tabellenkalkulation, sheet blatt tabellenblatt, row zeile, cell zelle, table tabelle, database datenbank, record
    datensatz, field feld, value wert, query abfrage, form formular, survey umfrage, response antworten, question frage,
    template vorlage, campaign kampagne, audience zielgruppe, segment segment, subscriber abonnent, newsletter rundbrief,
    post beitrag, article artikel, story geschichte, follower anhanger, website webseite webseite_adresse, domain domane, link verweis,
    result ergebnis, news neuigkeit nachrichtenlage schlagzeile, weather wetter, forecast vorhersage prognose, temperature
    temperatur, map landkarte stadtplan, location ort standort, city stadt, country land, route strecke weg, distance
    entfernung, flight flug, hotel hotel, reservation reservierung, ride fahrt, restaurant restaurant, menu speisekarte,
    review bewertung rezension, currency wahrung, exchange_rate wechselkurs, number zahl nummer, sum summe, percentage
    prozent prozentsatz, date datum, time zeit uhrzeit, timezone zeitzone, duration dauer, day tag, week woche, month monat,
    year jahr, today heute, tomorrow morgen, yesterday gestern, hour stunde stunden, timer stoppuhr, log protokoll, error fehler, alert
    alarm warnung, incident storung vorfall, status zustand, server rechner, backup sicherung sicherungskopie, space platz
    bereich, storage speicher speicherplatz, device gerat, light licht lampe, phone telefon handy, call anruf, voicemail
    mailbox, sms kurznachricht, notification benachrichtigung, settings einstellung einstellungen, version fassung, history
    verlauf historie, change anderung, copy kopie, name name, title titel, description beschreibung, category kategorie,
    priority prioritat, deadline frist falligkeit, owner besitzer eigentumer, stage phase, goal ziel, milestone meilenstein,
    workspace arbeitsbereich, drive laufwerk, signature unterschrift, contract vertrag, envelope umschlag, student schuler, class klasse, grade note noten, assignment hausaufgabe, lesson lektion, recipe rezept, book buch, chapter
    kapitel, definition definition, word wort, game spiel, patient patient, property immobilie, house haus, car auto,
    vehicle fahrzeug, driver fahrer, delivery lieferung, new neu neue neuen neues neuer, last letzte letzten letzter letztes,
    next nachste nachsten, open offene offenen offen, unread ungelesen ungelesene, old alt alte alten, free frei, person person
    leute, activity aktivitat, request anfrage, data daten, tool werkzeug, ad anzeige werbung, view ansicht, keyword
    stichwort schlagwort, purchase kauf, sale verkauf, guest gast_im_hotel, size grosse, color farbe, command befehl,
    screenshot bildschirmfoto, browser browser, memory gedachtnis, overdue uberfallig uberfallige,
    money geld, room zimmer raum, kitchen kuche, rent miete, lease mietvertrag, insurance versicherung, doctor arzt
    arztin, dentist zahnarzt, pharmacy apotheke, child kind kinder, dog hund, cat katze, wedding hochzeit, birthday
    geburtstag, friend freund freundin freunde, family familie, school schule, train zug bahn, trash papierkorb mull,
    weekend wochenende, coffee kaffee, gift geschenk, apartment wohnung, agreement vereinbarung, fee gebuhr, tenant
    mieter, minute minute minuten, half halfte, site baustelle,
    monday montag, tuesday dienstag, wednesday mittwoch, thursday donnerstag, friday freitag, saturday samstag sonnabend,
    sunday sonntag, january januar janner, february februar, march marz, june juni, july juli, october oktober, december
    dezember, morning vormittag morgens, noon mittag mittags, afternoon nachmittag nachmittags, evening abend abends, night
    nacht nachts, two zwei beide beiden, three drei, ten zehn, quarter quartal, season saison jahreszeit, summer sommer,
    spring fruhling fruhjahr, autumn herbst, holiday feiertag ferien, christmas weihnachten, easter ostern, participant
    teilnehmende mitwirkende, department abteilung, recipient empfanger, sender absender, feedback ruckmeldung
    ruckmeldungen, estimate schatzung voranschlag, preview vorschau, skill fahigkeit kenntnisse, score punktzahl spielstand,
    brand marke, retention aufbewahrung, album alben, dictionary worterbuch, risk risiko, target zielwert vorgabe, privacy
    datenschutz, payout auszahlung, quota kontingent, limit obergrenze grenze, stock aktie aktien, enrollment einschreibung
    anmeldung, market markt, license lizenz, letter brief, postcard postkarte, evidence nachweis beweis, income einkommen
    einnahmen, revenue erlos erlose, profit gewinn, loss verlust, cost kosten, debt schulden forderung, amount betrag
    summe_von, loan darlehen, donation spende, donor spender, accounting buchhaltung, supplier zulieferer, warehouse
    lagerhalle, carrier spediteur paketdienst, tracking sendungsverfolgung, label versandetikett, return rucksendung
    retoure, warranty garantie, complaint beschwerde reklamation, support kundendienst, caller anrufer, queue warteschlange,
    shift dienst schichten, overtime uberstunden, absence fehlzeit krankmeldung, vacancy stellenausschreibung vakanz,
    interview vorstellungsgesprach bewerbungsgesprach, applicant bewerberin bewerbende, resume lebenslauf, manager
    vorgesetzte vorgesetzter, colleague kollege kollegen kollegin, intern praktikant, training schulung fortbildung, exam
    prufung klausur, teacher lehrer lehrerin, parent eltern elternteil, attendance anwesenheit, university universitat uni
    hochschule, library bibliothek, author autor verfasser, publisher verlag, verse vers bibelvers, poem gedicht, quote
    zitat, player spieler spielerin, coach trainer, goal tor tore, scorer torschutze torschutzen, match partie begegnung
    spieltag, league liga, standings rangliste tabellenstand, injury verletzung verletzt verletzte, lineup aufstellung,
    referee schiedsrichter, stadium stadion, odds wettquote, prediction tipp prognosen, movie spielfilm kinofilm, show serie
    sendung_im_fernsehen, episode folge, concert konzert, lyrics liedtext songtext, voice stimme, sound gerausch ton,
    subtitle untertitel, thumbnail vorschaubild, background hintergrund, avatar profilbild, icon symbolbild, font schriftart
    schrift, design entwurf_grafik gestaltung, layer ebene, frame rahmen, sticker aufkleber, shape form_im_bild, drawing
    zeichnung, diagram schaubild, slide folie folien, presentation prasentation vortrag, paragraph absatz, heading
    uberschrift, footer fusszeile, spelling rechtschreibung, sentence satz, abstract kurzfassung, paper fachartikel studie,
    source quelle, reference literaturangabe, topic thema themen, entity eintrag_eigenname, sentiment stimmung tonfall, rule
    regel, policy richtlinie, condition bedingung, trigger ausloser, automation automatisierung, integration anbindung,
    connection verbindung, session sitzung_im_browser, token zugangstoken, login anmeldedaten, admin administrator, visitor
    besucher, traffic verkehr, click klick klicks, conversion abschlussquote, ranking platzierung, competitor konkurrent
    konkurrenz wettbewerber, investor investoren geldgeber, investment investition investiert, fund fonds, headcount
    mitarbeiterzahl, industry branche, founder grunder, neighborhood viertel nachbarschaft, building gebaude, floor
    stockwerk etage, parking parkplatz, garden garten, roof dach, leak leck rohrbruch undicht, heating heizung, repair
    reparatur, equipment ausrustung gerate, machine maschine, printer drucker, laptop rechner_mobil, camera kamera, door tur
    ture, window fenster, battery akku batterie, power strom, fuel kraftstoff diesel benzin, fleet fuhrpark flotte, truck
    lkw lastwagen, boat boot schiff, station bahnhof haltestelle, airport flughafen, passenger fahrgast passagier, passport
    reisepass, seat sitzplatz sitz, trip reise ausflug, luggage gepack koffer, breakfast fruhstuck, lunch mittagessen,
    dinner abendessen, food essen lebensmittel, drink getrank, wine wein, ingredient zutat zutaten, grocery einkaufe
    lebensmitteleinkauf, medicine medikament arznei, prescription rezept_vom_arzt, hospital krankenhaus klinik, nurse
    pfleger krankenschwester, diagnosis diagnose, symptom beschwerden, allergy allergie, blood blut, weight gewicht, height
    hohe korpergrosse, sleep schlaf geschlafen, exercise ubung training_im_sport, swimming schwimmen, animal tier haustier,
    plant pflanze, tree baum, water wasser, air luft, earthquake erdbeben, satellite satellit, law gesetz recht, court
    gericht, lawyer anwalt anwaltin rechtsanwalt, lawsuit klage rechtsstreit, witness zeuge, notary notar, signer
    unterzeichner unterzeichnende, document unterlage unterlagen, clause klausel, consent einwilligung zustimmung, member
    vereinsmitglied, club verein, volunteer ehrenamtliche freiwillige, church kirche gemeinde, party feier fest, speaker
    redner referent, booth messestand, fair messe, agenda tagesordnung, poll abstimmung, vote stimmen_abgeben, idea idee
    ideen, decision entscheidung beschluss, approval freigabe genehmigung, mistake fehler_von_mir irrtum, problem
    schwierigkeit, outage ausfall, crash absturz abgesturzt, performance leistung, uptime verfugbarkeit_des_servers,
    certificate zertifikat urkunde, network netzwerk netz, cloud wolke, function funktion, feature neue_funktion, package
    bibliothek_im_code, collection sammlung kollektion, catalog katalog, gallery galerie, bookmark lesezeichen, tab reiter
    registerkarte, button knopf schaltflache, headline schlagzeilen, press presse, gift_card geschenkkarte
    geschenkgutschein, loyalty treue treuepunkte, variant ausfuhrung, barcode strichcode, quantity menge stuckzahl, unit
    einheit, total gesamtbetrag insgesamt, average durchschnitt, folder mappe, archive archiv, wallet geldborse brieftasche,
    crypto kryptowahrung, coin munze, coordinates koordinaten, neighbour nachbar, boss chef chefin, office buro, desk
    schreibtisch, keyword suchbegriff, headache kopfschmerzen, name nachname vorname, age alter, gender geschlecht,
    nationality staatsangehorigkeit, beginning anfang beginn, end ende schluss, current aktuell aktuelle aktuellen derzeit,
    late verspatet spat, wrong falsch falsche falschen, missing fehlend fehlende, duplicate doppelt doppelte, empty leer
    leere, public offentlich offentliche, private privat, active aktiv aktive, expired abgelaufen abgelaufene, failed
    fehlgeschlagen gescheitert, pending ausstehend ausstehende, urgent dringend, important wichtig wichtige, cheap billig
    gunstig, expensive teuer teure, nearby nahe, available verfugbar vorhanden, red rot rote, blue blau blaue, green grun
    grune, black schwarz schwarze, white weiss weisse, dark dunkel dunkle,
    four vier, five funf, six sechs, seven sieben, eight acht, nine neun, hundred hundert, thousand tausend, second sekunde
    sekunden, hour uhr, day tage tagen, deal deals, pipeline vertriebspipeline, team teams, update aktualisierung
    neuigkeiten, mailing_list verteiler mailverteiler, copy cc in_kopie, subject betreff betreffzeile, minutes
    protokoll_der_sitzung, group_chat gruppenchat, video_call videoanruf videokonferenz, microphone mikrofon mikro, mute
    stummgeschaltet, slot zeitfenster, waiting_list warteliste, deposit anzahlung kaution, installment rate raten, bill
    stromrechnung, vat mwst umsatzsteuer ust, tax_return steuererklarung, petty_cash kasse, allowance taschengeld zuschuss,
    mileage kilometer fahrtkosten, reimbursement auslagen, timesheet stundenzettel, payslip lohnzettel, wage lohn lohne,
    sick_leave krank krankgemeldet, cleaner reinigungskraft, plumber klempner installateur, electrician elektriker, painter
    maler, mechanic mechaniker werkstatt, construction bau bauleitung, offer angebote sonderangebot, shelf regal,
    delivery_note lieferschein, sample muster probe, size grossen konfektionsgrosse, clothes kleidung klamotten, shoe
    schuhe, phone_number telefonnummer rufnummer, meter_reading zahlerstand, electricity elektrizitat, temperature grad,
    heater heizkorper, air_conditioning klimaanlage, vacuum staubsauger, living_room wohnzimmer, bedroom schlafzimmer,
    bathroom badezimmer, basement keller, hallway flur treppenhaus, harbour hafen, street strasse, village dorf,
    holiday_home ferienwohnung ferienhaus, event anlass, competition wettbewerb turnier, choir chor chorprobe, band
    musikgruppe, baptism taufe, funeral beerdigung trauerfeier, anniversary jubilaum jahrestag, mother mutter mama mutti,
    father vater papa, grandmother oma grossmutter, grandfather opa grossvater, son sohn, daughter tochter, brother bruder,
    sister schwester, aunt tante, uncle onkel, man mann, woman dame, girl madchen, boy junge, baby saugling, vaccination
    impfung impfen, vet tierarzt, cow kuh kalb, horse pferd, chicken huhn huhner, egg eier, milk milch, bread brot, cheese
    kase, bakery backerei, soap seife, candle kerze, flower blume blumen, cup tasse becher, bicycle fahrrad rad, motorcycle
    motorrad, step schritt schritte, run gelaufen gejoggt, blood_pressure blutdruck, key schlusselbund, lock schloss, alarm
    wecker, fire feuer brand, drone drohne, irrigation bewasserung, field acker, hay heu, note aufschrieb, receipt kassenbon
    bon, voucher gutscheincode, subscription mitgliedschaft, user anwenderin, permission rechte, error fehlermeldung,
    release version_neu, on_call bereitschaft, on_leave beurlaubt, handover ubergabe, inspection begehung kontrolle, defect
    mangel mangelliste, maintenance wartung, spare_part ersatzteil, screw schraube, tool bohrmaschine, neighborhood
    hausgemeinschaft, hearing verhandlung anhorung, claim schadensmeldung, insurer versicherer, tenant mieterin, landlord
    vermieter, viewing besichtigung, mortgage hypothek, chord akkord, poster plakat aushang, flyer flugblatt, print_shop
    druckerei, like gefallt_mir, review rezensionen, star stern sterne, table tische, waiter kellner, schedule stundenplan
    fahrplan, test klassenarbeit, kindergarten kita, parents_evening elternabend, microchip chip, customs zoll, container
    frachtcontainer, pallet palette, stocktaking inventur, best_before mindesthaltbarkeit,
    ready bereit, correct stimmt korrekt richtig, valid gultig gultige, tip trinkgeld, cheque scheck, direct_debit
    lastschrift, nut nusse, calorie kalorien, move umzug, tender ausschreibung, strike streik, elevator aufzug fahrstuhl,
    drain abfluss, dishwasher geschirrspuler spulmaschine, forklift stapler gabelstapler, oil ol, spare ersatz, leaflet
    broschure, subpage unterseite unterseiten, deadline stichtag, archive akten, note notizen aufzeichnungen, contact_person
    ansprechpartner, representative vertreter betriebsrat, utilization auslastung, memory speicherleck arbeitsspeicher,
    duplicate dublette, error fehlerhaft, husband ehemann, wife ehefrau frau_von, person mensch menschen, thing sache dinge,
    piece stuck teil, place stelle_wo, way art_und_weise, size kleiner grosser, long lang langer, short kurze kurzer, big
    gross, small klein kleine kleinen, good gut guten gute, bad schlecht schlechte, better besser, latest neueste neuesten,
    main haupt, own eigene eigenen, real echt echte, automatic automatisch, final endgultig, english englisch, german
    deutsch deutschen, french franzosisch, spanish spanisch, italian italienisch, polish polnisch, switzerland schweiz
    schweizer, cover titelbild umschlagbild, air_quality luftqualitat, weather unwetter, warning warnhinweis, robot roboter,
    scraper crawler, section abschnitt rubrik, column spalten, unit_test tests_im_code, lead leads, quote preisangebot,
    point punkt punkten, item punkte position positionen, gdpr dsgvo, deletion loschung, council elternbeirat,
    flea_market flohmarkt, maintenance instandhaltung, employee mitarbeiterin mitarbeiterinnen mitarbeitern kolleginnen,
    discount_code rabattcode, tent zelt zelte, rental verleih vermietung, early fruh fruher fruhen, garbage mullabfuhr,
    contract arbeitsvertrag, watermark wasserzeichen, menu menu, consultation sprechstunde, option auswahlfeld, surprise
    uberraschung, text wortlaut, yesterday gestrigen gestrige, comment hinweis anmerkungen, detailed ausfuhrliche
    ausfuhrlich, provider anbieter dienstleister, delivery_time lieferzeit, price_list preislisten preisliste, warm
    warmes warm warmer, developer entwickler entwicklern entwicklerin, commission provision, abuse beleidigend
    beleidigung, workshop tischlerei, extension durchwahl, net netto, gross brutto, store filialen filiale,
    cash_register kassensystem, due fallig fallige, header kopfzeile, architect architektin, absence urlaubstage,
    current laufenden laufende, tile fliese, cleaning reinigung, list packliste, half halb halbe halber halben, internal
    interne internen intern, external extern externe externen, reseller wiederverkaufer, loop schleife endlosschleife,
    jacket jacke, essay aufsatz, formula formeln formel, ending endung, on_call bereitschaftsplan bereitschaftsplane
    rufbereitschaft, usage rechenzeit, cancelled abgeblasen, yellow gelb gelbe gelber gelben, pension rente, office
    kontor, nice nett nette netten, man herren, correction korrektur korrekturen, math mathe, outside aussen, far weit,
    quiet ruhig ruhige ruhigen leise, loud laut, blurry verwackelt verwackelte verwackelten unscharf, coming kommende
    kommenden kommender, next naechste, previous vorige vorigen voriger vorherige vorherigen, company firmen, number
    nummern, count anzahl, share anteil anteile, group gruppen, reason grund grunde, request bitte_um anfragen, message
    sprachnachricht whatsapp, status zwischenstand, progress fortschritt, deadline abgabetermin, appointment terminen
    verabredung, reminder wiedervorlage, guest gasten, participant teilnehmerliste, list auflistung, overview
    gesamtubersicht uberblick, page seiten, headline uberschriften, word worter begriffe, image fotos, drawing skizze,
    video videos clip filmchen, song songs lieder, forum foren, post postings beitrage, follower abonnenten, like likes,
    view aufrufe, visitor besucherzahlen, sale verkaufe, revenue umsatze, expense unkosten, payment zahlungen
    uberweisungen, fee gebuhren, customer kundschaft kundinnen, lead interessenten interessentin, deal abschluss
    abschlusse geschafte, order auftrage bestellungen, package packchen pakete, inventory bestande vorrat, shelf_life
    haltbarkeit, product ware produkte, version fassungen, change anderungen, history chronik, log protokolle logs,
    password passworter, access zugriffsrechte, role rollen, user nutzerin, account zugange, rule regeln, error fehlern
    meldung, outage storungen ausfalle, incident zwischenfall, website internetseite homepage webseiten seite_im_netz,
    link verknupfung, form anmeldeformular, survey befragung umfragen, answer_sheet antwortbogen, course kurs kurse,
    assignment hausaufgaben, grade zensur, student schulerin studierende, class klassen, shift dienste, vacation
    urlaubstag freie_tage, sick_leave krankschreibung, salary gehalter, applicant bewerbungen, meeting sitzungen
    besprechungen treffen_im_buro, room raume, car autos wagen, hotel unterkunft, flight fluge, light lichter lampen,
    temperature warme, recipe rezepte, meal mahlzeit, workout trainingseinheit ubungen, goal vorsatz, habit gewohnheit,
    note notizzettel, idea einfall, wish wunsch wunsche, problem probleme, solution losung losungen`,
};
