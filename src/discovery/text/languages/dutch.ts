/** Dutch verbs and nouns of requests; see `lexicon.ts`. Verbs with a separable part are written together. */
import type { LanguageData } from './lexicon.js';

export const dutch: LanguageData = {
  functions: `
    the de het, a een, of van, in in, on op, to naar aan te tot, for voor, with met, from uit vanaf, by door bij, and en, or of_anders, then
    dan daarna vervolgens, my mijn m_n, our ons onze, your jouw je uw, his zijn haar hun, this deze dit, that dat die, all
    alle alles allemaal, me mij me, i ik, we wij we, it hij zij ze hem er zich, is is zijn_er staat staan wordt was, not
    niet geen, if als, about over, between tussen, without zonder, what wat welke welk, who wie, when wanneer, how hoe, where
    waar, please alsjeblieft alstublieft graag even, want wil wilt moet kun kan kunt zou nodig heb hebt heeft hebben, also
    ook, until tot_en_met, now nog om up eens toch wel eigenlijk terug weer mevrouw meneer, only alleen maar, more meer, how_many hoeveel, be zijn_geweest worden, so zodat,
    there erin erbij eraf eruit erop ermee, let laat mag moeten kunnen, no nee, me mezelf, so ja, again opnieuw, very
    heel, so dus, under onder, on boven, off af`,
  verbs: `
    create voorbereiden, create maken maak aanmaken aangemaakt opstellen genereren, add toevoegen voeg_toe zetten zet invoegen, delete
    verwijderen wissen, remove weghalen eraf_halen verwijder_uit, update bijwerken werk_bij wijzigen aanpassen bewerken,
    change veranderen wissel, rename hernoemen, set instellen, send sturen stuur verzenden versturen verstuur zenden, reply
    antwoorden beantwoorden, forward doorsturen, show tonen toon laten_zien laat_zien zien bekijken bekijk weergeven, get halen ophalen opvragen geven geef krijgen pak weten, list opsommen lijst_op, search zoeken zoek opzoeken, find vinden vind,
    open openen, read lezen lees, download downloaden binnenhalen, upload uploaden, export exporteren, import importeren,
    move verplaatsen schuiven, copy kopieren, duplicate dupliceren, share delen deel, invite uitnodigen nodig_uit, assign toewijzen
    wijs_toe, close sluiten afsluiten, complete afronden voltooien afvinken, mark markeren, cancel annuleren afzeggen,
    archive archiveren, restore herstellen terugzetten, publish publiceren, post plaatsen plaats, schedule plannen plan
    inplannen, reschedule verzetten verschuiven opschuiven uitstellen verplaats_de_afspraak, start starten beginnen begin, stop stoppen, pause
    pauzeren, resume hervatten, run uitvoeren draaien, enable inschakelen aanzetten activeren, disable uitschakelen
    uitzetten deactiveren, approve goedkeuren, reject afwijzen afkeuren, accept accepteren aannemen, merge samenvoegen, lock
    vergrendelen, unlock ontgrendelen, subscribe abonneren, unsubscribe uitschrijven afmelden, follow volgen, unfollow
    ontvolgen, pay betalen, charge afschrijven, refund terugbetalen terugstorten, buy kopen, order bestellen, book boeken
    reserveren, check controleren nakijken checken, verify verifieren valideren, count tellen, calculate berekenen reken
    uitrekenen, convert omrekenen omzetten converteren, translate vertalen, summarize samenvatten vat_samen, compare
    vergelijken, analyze analyseren, write schrijven schrijf, save opslaan bewaren, attach bijvoegen, block blokkeren,
    notify melden waarschuwen informeren, remind herinneren, connect verbinden koppelen, disconnect loskoppelen, sync
    synchroniseren, track volgen_van, record vastleggen registreren noteren, call bellen, ask vragen, sign ondertekenen,
    print afdrukken printen, play afspelen speel, mute dempen, pin vastpinnen, sort sorteren, filter filteren, replace
    vervangen, clear leegmaken legen, leave verlaten, join deelnemen, deploy uitrollen, build bouwen, test testen, scan
    scannen, extract uithalen extraheren, transcribe transcriberen, draw tekenen, resize verkleinen, compress comprimeren,
    submit indienen, describe beschrijven, explain uitleggen, tag taggen, comment reageren, review beoordelen, link
    linken, hide verbergen, reset resetten, retry opnieuw_proberen, split splitsen, transfer overmaken overzetten, suspend
    schorsen, revoke intrekken, grant verlenen, crop bijsnijden, predict voorspellen, solve oplossen, browse bladeren,
    visit bezoeken, multiply vermenigvuldigen, round afronden_op,
    win winnen gewonnen, lose verliezen verloren kwijt, sell verkopen verkocht, forget vergeten, fix repareren gefixt,
    rent verhuren verhuurd, remove gooien gooi_weg, sign getekend tekenen_onder, cancel afgezegd`,
  nouns: `
    email mail mailtje e_mail, inbox postvak, message bericht berichten berichtje, channel kanaal, conversation gesprek,
    thread draad, reply antwoord, draft concept, attachment bijlage, label etiket, folder map mappen, file bestand, document
    document, page pagina, note notitie, notebook notitieboek, task taak, subtask subtaak deeltaak, list lijst, project
    project, board bord, card kaart kaartje, column kolom, checklist checklist, comment opmerking reactie, mention vermelding,
    issue probleem, bug fout_in_de_code, repository repo, branch tak, release uitgave, code code, workflow werkstroom,
    deployment uitrol, environment omgeving, variable variabele, secret geheim, key sleutel, event evenement gebeurtenis,
    calendar agenda kalender, meeting vergadering overleg, appointment afspraak, reminder herinnering, invitation
    uitnodiging, attendee deelnemer genodigde, availability beschikbaarheid, schedule rooster planning, contact contact
    contactpersoon, customer klant, company bedrijf, organization organisatie, deal transactie_met_klant, opportunity kans,
    quote offerte, order bestelling, cart winkelwagen, product product, item artikel_in_winkel, price prijs, discount
    korting, coupon kortingsbon, inventory voorraad, shipment zending verzending, package pakket pakje, address adres, store winkel,
    invoice factuur facturen, payment betaling, refund terugbetaling, subscription abonnement, balance saldo, account
    rekening, transaction transactie, transfer overschrijving, receipt bon kassabon, expense uitgave_kosten declaratie
    onkosten uitgaven, budget budget begroting, tax belasting, credit krediet, dispute geschil, vendor leverancier, employee
    medewerker werknemer, candidate kandidaat sollicitant, job vacature baan, application sollicitatie, vacation vakantie,
    leave verlof, payroll salarisadministratie, salary salaris, shift dienst, team ploeg, member lid leden, user gebruiker,
    group groep, role rol, permission machtiging recht, access toegang, password wachtwoord, profile profiel, photo foto,
    image afbeelding plaatje, video filmpje, song nummer_muziek liedje, playlist afspeellijst, artist artiest, recording
    opname, transcript transcript uitgeschreven_tekst, translation vertaling, language taal, text tekst, summary
    samenvatting, report rapport verslag rapportage, chart grafiek, dashboard overzicht, statistics statistiek cijfers,
    analysis analyse, spreadsheet rekenblad, sheet blad werkblad, row rij regel, cell cel, table tabel, database databank,
    field veld, value waarde, query zoekopdracht, form formulier, survey enquete, response antwoorden, question vraag, template
    sjabloon, campaign campagne, audience doelgroep, subscriber abonnee, newsletter nieuwsbrief, post berichtje_op_blog,
    article artikel, story verhaal, follower volger, website site website, domain domein, link koppeling, result resultaat,
    news nieuws, weather het_weer weerbericht, forecast verwachting voorspelling weersverwachting, temperature temperatuur, map plattegrond
    landkaart, location locatie plek, city stad, country land, route route, distance afstand, flight vlucht, hotel hotel,
    reservation reservering, ride rit, restaurant restaurant, review recensie beoordeling, currency munt valuta,
    exchange_rate wisselkoers koers, number getal nummer, sum som, percentage percentage procent, date datum, time tijd,
    timezone tijdzone, duration duur, day dag, week week, month maand, year jaar, today vandaag, tomorrow morgen, yesterday
    gisteren, hour uur uren, timer stopwatch, log logboek, error fout, alert waarschuwing, incident storing, status stand,
    server server, backup reservekopie, space ruimte, storage opslag, device apparaat, light licht lamp, phone telefoon,
    call telefoontje gesprek_telefoon, voicemail voicemail, sms sms, notification melding, settings instelling instellingen,
    version versie, history geschiedenis, change wijziging verandering, copy kopie, name naam, title titel, description
    beschrijving omschrijving, category categorie, priority prioriteit, deadline einddatum, owner eigenaar, stage fase, goal
    doel, milestone mijlpaal, workspace werkruimte, drive schijf, signature handtekening, contract contract, envelope
    envelop, student leerling, course cursus vak, class klas, grade cijfer, assignment huiswerk opdracht, lesson les, recipe
    recept, book boek, chapter hoofdstuk, definition definitie, word woord, game spel, patient patient, property pand, house
    huis, car auto, vehicle voertuig, driver chauffeur, delivery levering bezorging, new nieuw nieuwe, last laatste, next
    volgende, open openstaande, unread ongelezen, old oud oude, free vrij, person persoon mensen, activity activiteit,
    request verzoek aanvraag, data gegevens, tool hulpmiddel, ad advertentie, view weergave, keyword trefwoord, purchase
    aankoop, sale verkoop, guest gast, size grootte, color kleur, command opdrachtregel, screenshot schermafbeelding, browser
    browser, memory geheugen,
    money geld, room kamer ruimte_zaal, kitchen keuken, rent huur, lease huurcontract, insurance verzekering, doctor
    dokter arts, dentist tandarts, pharmacy apotheek, child kind kinderen, dog hond, cat kat, wedding bruiloft,
    birthday verjaardag, friend vriend vriendin vrienden, family familie gezin, school school, train trein, trash
    prullenbak vuilnis, weekend weekend, coffee koffie, gift cadeau, key sleutels, apartment appartement, agreement
    overeenkomst, fee kosten toeslag, tenant huurder, minute minuut minuten, half helft, supplier toeleverancier`,
};
