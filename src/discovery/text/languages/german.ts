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
    durfen`,
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
    trag_ein, pay begleichen, deliver liefern`,
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
    review bewertung rezension, currency wahrung, exchange_rate wechselkurs kurs, number zahl nummer, sum summe, percentage
    prozent prozentsatz, date datum, time zeit uhrzeit, timezone zeitzone, duration dauer, day tag, week woche, month monat,
    year jahr, today heute, tomorrow morgen, yesterday gestern, hour stunde stunden, timer stoppuhr, log protokoll, error fehler, alert
    alarm warnung, incident storung vorfall, status zustand, server rechner, backup sicherung sicherungskopie, space platz
    bereich, storage speicher speicherplatz, device gerat, light licht lampe, phone telefon handy, call anruf, voicemail
    mailbox, sms kurznachricht, notification benachrichtigung, settings einstellung einstellungen, version fassung, history
    verlauf historie, change anderung, copy kopie, name name, title titel, description beschreibung, category kategorie,
    priority prioritat, deadline frist falligkeit, owner besitzer eigentumer, stage phase, goal ziel, milestone meilenstein,
    workspace arbeitsbereich, drive laufwerk, signature unterschrift, contract vertrag, envelope umschlag, student schuler,
    course kurs, class klasse, grade note noten, assignment hausaufgabe, lesson lektion, recipe rezept, book buch, chapter
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
    mieter, minute minute minuten, half halfte, site baustelle`,
};
