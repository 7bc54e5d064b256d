/** Italian verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const italian: LanguageData = {
  functions: `
    the il lo la i gli le l, a un uno una, of di del dello della dei degli delle dell d, in in nel nello nella nei nelle nell,
    on su sul sullo sulla sui sulle sull, to a al allo alla ai agli alle all ad, for per, with con col, from da dal dallo
    dalla dai dalle dall, and e ed, or o oppure, then poi quindi dopo, my mio mia miei mie, our nostro nostra nostri nostre,
    your tuo tua tuoi tue suo sua, this questo questa quest, these questi queste, that che quello quella quel, all tutti
    tutte tutto tutta, me mi me, i io, is è e_un sono c_e ci_sono, not non, if se, about riguardo, between tra fra, without
    senza, what quale quali cosa che_cosa qual, who chi, when quando, how come, where dove, please per_favore per_piacere,
    want voglio vorrei devo puoi potresti può puo bisogna serve ho hai abbiamo, it ci si ne gli_ha, also anche, until fino,
    now adesso ha era hanno via gia ancora signor signora basta, only solo soltanto, more piu, how_many quanti quante quanto quanta, be essere stare,
    but ma pero, he lui lei loro, no niente, who qualcuno nessuno, so sempre, was erano stato stata sta stanno sto,
    must deve devono dobbiamo, before prima, why perche, so bene, each ogni, there li la_giu giu, we siamo noi, to va
    vanno andato, same stesso stessa, some qualche, have avevo aveva avete,
    something qualcosa, everyone ognuno, nothing nulla, because siccome, during durante, against contro, under sotto, above
    sopra, below laggiu, inside dentro, outside fuori, back indietro, away via_da_qui, up su_in_alto, very molto, too
    troppo, less meno, enough abbastanza, almost quasi, soon presto, immediately subito, quickly velocemente in_fretta,
    maybe forse magari, about circa, together insieme, first primo prima_di_tutto, second secondo seconda, third terzo
    terza, once una_volta, again di_nuovo un_altra_volta, same stessi, other altro altra altri, many molti molte, some
    alcuni alcune, both entrambi, whole intero intera, most la_maggior_parte, thanks grazie, hello ciao salve, ok va_bene,
    can possono possiamo, should dovrebbe dovrei, done fatto fatta, later piu_tardi, ago fa_un_attimo, until_now finora,
    instead invece, just appena, here qui_dentro, mine il_mio la_mia, us noi_altri, one uno_solo,
    c c, want vuole vogliono volevo, have avevano, is sei fosse, a un_po, that quelle quelli, says dice dicono, them
    farcelo, where dov dove_sta, would vorrebbe vorremmo, please perfavore, where_to ovunque, really davvero veramente,
    so cosi, good buon, once volta volte, between tra_le, in_negli negli, over sopra_il, all tutto_il, still tuttora,
    yet ancora_non, until fino_al, while mentre, both entrambe, someone qualcuna, could potrei posso, how_much
    quanto_costa quanto_viene quant, how_many quante_volte, this_evening stasera, six sei_ore, who chi_e`,
  verbs: `
    create preparare, create creare crea generare genera fare fai fammi faccio, add aggiungere aggiungi inserire inserisci mettere metti
    includere, delete cancellare cancella eliminare elimina, remove rimuovere rimuovi togliere togli, update aggiornare
    aggiorna modificare modifica correggere correggi, change cambiare cambia, rename rinominare, set impostare imposta
    configurare definire, send inviare invia mandare manda spedire spedisci, reply rispondere rispondi, forward inoltrare,
    show mostrare mostra visualizzare vedere vedi guardare fammi_vedere, get ottenere ottieni recuperare consultare dare
    dammi dimmi prendere prendi sapere, list elencare elenca, search cercare cerca ricercare, find trovare trova, open
    aprire apri, read leggere leggi, download scaricare scarica, upload caricare carica, export esportare, import importare,
    move spostare sposta, copy copiare copia, duplicate duplicare, share condividere condividi, invite invitare invita,
    assign assegnare assegna, close chiudere chiudi, complete completare finire finisci terminare, mark segnare segna
    contrassegnare spuntare, cancel annullare annulla disdire, archive archiviare archivia, restore ripristinare, publish
    pubblicare pubblica, post postare, schedule programmare pianificare, reschedule rimandare rinviare posticipare
    riprogrammare, start avviare avvia iniziare inizia lanciare, stop fermare ferma arrestare, pause sospendere
    mettere_in_pausa, resume riprendere riprendi, run eseguire esegui, enable attivare abilitare accendere accendi, disable
    disattivare disabilitare spegnere spegni, approve approvare, reject rifiutare respingere, accept accettare, merge unire
    unisci fondere, lock bloccare, unlock sbloccare, subscribe iscrivere abbonare, unsubscribe disiscrivere, follow seguire
    segui, pay pagare paga, charge addebitare, refund rimborsare rimborsa, buy comprare compra acquistare, order ordinare_un
    ordinare, book prenotare prenota, check controllare controlla verificare, verify convalidare, count contare conta,
    calculate calcolare calcola, convert convertire converti, translate tradurre traduci traduca, summarize riassumere
    riassumi, compare confrontare, analyze analizzare, write scrivere scrivi, save salvare salva, attach allegare allega,
    notify avvisare avvisa notificare, remind ricordare ricorda ricordami, connect collegare connettere, disconnect
    scollegare disconnettere, sync sincronizzare, track tracciare monitorare, record registrare registra annotare annota,
    call chiamare chiama telefonare, ask chiedere chiedi, sign firmare, print stampare, play riprodurre suonare, mute
    silenziare, pin fissare, filter filtrare, replace sostituire, clear svuotare pulire, leave uscire lasciare, join
    entrare unirsi, deploy distribuire, build costruire compilare, test provare testare, scan scansionare, extract estrarre
    estrai, transcribe trascrivere, draw disegnare, resize ridimensionare, compress comprimere, submit presentare, describe
    descrivere descrivi, explain spiegare, tag etichettare, comment commentare, review rivedere, hide nascondere, reset
    reimpostare, retry riprovare, split dividere, transfer trasferire, suspend sospendere_un, revoke revocare, grant
    concedere, crop ritagliare, predict prevedere, solve risolvere, browse navigare, visit visitare, evaluate valutare,
    multiply moltiplicare, round arrotondare,
    win vincere vinto, lose perdere perso, sell vendere venduto, forget dimenticare dimentica, fix riparare
    aggiustare, rent affittare affittato, hire assumere, delete buttare butta cestinare, finish finito, deliver
    consegnare, clone clonare clona,
    pull tirare tira, bring portare, come arrivare arriva viene, go andare, stay restare resta restano, need servire
    occorre, owe dovere, earn guadagnare, cost costare costa, consume consumare, hit colpire, grow crescere cresciuto,
    increase aumentare, reduce ridurre diminuire, improve migliorare, begin cominciare, work lavorare, function funzionare
    funziona, leave lascia, hold tenere, keep conservare, sign_in accedere, sign_out disconnettersi, clock_in timbrare,
    clock_out timbrare_l_uscita, withdraw ritirare prelevare, drop scartare, promote promuovere, fire licenziare, recommend
    consigliare, suggest suggerire, discuss discutere, speak parlare parla, tell dire, report segnalare, decide decidere,
    measure misurare, weigh pesare, cook cucinare, eat mangiare, pack imballare, break rompere rotto, solve risolto, wait
    aspettare, listen ascoltare, learn imparare, teach insegnare, enroll iscrivere_al_corso, ban bandire, kick espellere,
    hang_up riattaccare, charge ricaricare, restart riavviare, migrate migrare, index indicizzare, crawl
    scansionare_il_sito, detect rilevare, classify classificare, match abbinare, rank ordinare_per,
    remind sollecita, nudge sollecitare, forward girare inoltra, call_back richiamare, drop_off lasciare_in, lend prestare
    prestato, borrow prendere_in_prestito, exchange scambiare, return restituire rispedire, pay pagato versato, sell
    esaurito, answer risposto, confirm confermare conferma, decline declinare, bring_forward anticipare, shorten accorciare,
    extend prorogare estendere, renew rinnovare, expire scadere scade, swap invertire, cover coprire, thank ringraziare,
    apologize scusarsi, congratulate fare_gli_auguri, hang appendere, stick incollare, cut tagliare, tidy riordinare, open
    aperto, lower abbassare, raise alzare, wake svegliare, look dare_un_occhiata, see visto, know sai, think pensare, happen
    successo succede, fall cadere caduto, rise salire salito, wear indossare, help aiutare aiuto, tag taggare, swipe
    scorrere, pack raggruppare,
    retweet ritwittare, restore ripescare resuscitare, sign_up registrarsi, take_over occuparsi, sign firmato, get ricevere,
    change cambiato, write scritto, say detto, exist esiste esistono, mean significa, use usa usano, forget scordato, freeze
    congelare congela, deploy mandare_in_produzione, escalate escalare, travel viaggiare, breed allevare, rain piovere
    piove, freeze_over gela gelata,
    remove levalo levala leva toglimi, delete smaltire, add mettici segnami, create apri_un compila redigi, write
    scrivimi, send mandagli, tell di_a dillo digli fai_sapere, notify avverti avvertire, get recupera, receive ricevuto
    ricevi, give dagli, show mostrami vedo, see guarda, check verifica guarda_se, close chiuso chiusa, complete finita
    completa concludi, cancel disdetta, update rettifica sistema sistemare, postpone rimanda posticipa rinvia,
    bring_forward anticipa, schedule pianifica, assign affidare affida, join iscrivermi, leave esci andarsene,
    unsubscribe disiscrivi, pay saldare, charge addebita, refund restituisci, sell vendi, order ordinato, approve
    approva, reject rifiuta respingi, accept accetta, call telefona, remind ricordarmi ricordarsi, restore rimettere,
    merge accorpare, rename rinomina, post twitta, play riproduci suona metti_su, listen ascolta, compare confronta,
    convert trasforma, shrink rimpicciolire rimpicciolisci, lock chiudi_a_chiave, unlock sblocca, enable attiva, stop
    smettere, smetti stop, mute zittire zittisci silenzia, pause sospendi, deploy rilasciare rilascia pushare, fix
    aggiusta ripara sistemata, break rotta, fail fallire, arrive arrivato, go vai, come venire vieni tornare torna,
    return restituire_il rendere, replace sostituisci, like mettere_mi_piace, hide nascondi, print stampa, draw disegna,
    explain spiega, hire assunto, fire licenziato, spend spendere speso, owe deve_a, promise promesso, push spingere,
    prune potare, land atterrati atterrato, touch tocca, reach raggiunto raggiungere, fold tornano, link linka, bite
    morde, plug appunta appuntati appuntare`,
  nouns: `
    email posta mail e_mail posta_elettronica, inbox casella, message messaggio messaggi, channel canale canali, conversation
    conversazione, thread discussione, reply risposta, draft bozza, attachment allegato, label etichetta, folder cartella
    cartelle, file file documento_allegato, document documento, page pagina, note nota appunto, notebook taccuino quaderno,
    task attivita compito, subtask sottoattivita, list lista elenco, project progetto, board bacheca, card scheda, column
    colonna, comment commento, mention menzione, reaction reazione, issue segnalazione problema, bug errore_del_codice,
    repository archivio_del_codice, branch ramo, release rilascio, code codice, workflow flusso flusso_di_lavoro, deployment
    distribuzione, environment ambiente, variable variabile, secret segreto, key chiave, event evento, calendar calendario
    agenda, meeting riunione incontro, appointment appuntamento, reminder promemoria, invitation invito, attendee
    partecipante invitato, availability disponibilita, schedule orario programma, contact contatto, customer cliente
    clienti, company azienda societa, organization organizzazione, lead potenziale, deal trattativa affare, opportunity
    opportunita, quote preventivo, order ordine ordini, cart carrello, product prodotto, item articolo_in_vendita elemento,
    price prezzo, discount sconto, coupon buono, inventory magazzino inventario scorte giacenza, shipment spedizione,
    package pacco, address indirizzo, store negozio, invoice fattura fatture, payment pagamento, refund rimborso,
    subscription abbonamento, plan piano, balance saldo, account conto account, transaction transazione movimento, transfer
    bonifico trasferimento, receipt ricevuta scontrino, expense spesa spese, budget budget, tax tassa imposta, credit
    credito, dispute contestazione, vendor fornitore, employee dipendente impiegato, candidate candidato, job lavoro posto,
    application candidatura domanda_di_lavoro, vacation ferie vacanza, leave permesso assenza, payroll busta_paga, salary
    stipendio, shift turno, team squadra gruppo_di_lavoro, member membro, user utente, group gruppo, role ruolo, permission
    permessi autorizzazione, access accesso, password password, profile profilo, photo foto, image immagine, video video,
    song canzone brano, playlist scaletta, artist artista, recording registrazione, transcript trascrizione, translation
    traduzione, language lingua, text testo, summary riassunto riepilogo, report rapporto relazione resoconto, chart
    grafico, dashboard cruscotto, statistics statistica statistiche, metric metrica, analysis analisi, spreadsheet
    foglio_di_calcolo, sheet foglio, row riga, cell cella, table tabella, database base_di_dati, record voce, field campo,
    value valore, query interrogazione, form modulo, survey sondaggio, response risposte, question domanda, template modello,
    campaign campagna, audience pubblico, segment segmento, subscriber iscritto abbonato, post pubblicazione, article
    articolo, story storia, follower seguace, website sito, domain dominio, link collegamento, result risultato, news
    notizia notizie, weather meteo tempo, forecast previsione previsioni, temperature temperatura, map mappa, location
    posizione luogo, city citta, country paese, route percorso itinerario, distance distanza, flight volo, hotel albergo,
    reservation prenotazione, ride corsa, restaurant ristorante, menu menu, review recensione, rating valutazione, currency
    valuta moneta, exchange_rate tasso_di_cambio cambio, number numero, sum somma, percentage percentuale, date data, time
    ora orario_attuale, timezone fuso_orario, duration durata, day giorno, week settimana, month mese, year anno, today
    oggi, tomorrow domani, yesterday ieri, timer timer cronometro, log registro_eventi, error errore, alert avviso allarme,
    incident incidente, status stato, server server, backup copia_di_sicurezza, space spazio, storage archiviazione, device
    dispositivo, light luce luci, phone telefono cellulare, call chiamata telefonata, voicemail segreteria, sms sms
    messaggino, notification notifica, settings impostazioni preferenze, version versione, history cronologia storico,
    change modifiche, name nome, title titolo, description descrizione, category categoria, priority priorita, deadline
    scadenza, owner proprietario responsabile, stage fase, goal obiettivo, milestone traguardo, workspace
    spazio_di_lavoro, drive unita, signature firma, contract contratto, envelope busta, student studente alunno, course
    corso, class classe lezione_in_aula, grade voto voti, assignment compiti, lesson lezione, recipe ricetta, book libro,
    chapter capitolo, definition definizione, word parola, game gioco partita, patient paziente, property immobile, house
    casa, car auto macchina, vehicle veicolo, driver autista, delivery consegna, new nuovo nuova nuovi nuove, last ultimo
    ultima ultimi ultime, next prossimo prossima, open aperti aperte, unread non_letti non_lette, old vecchio vecchia, free
    libero, person persona persone, activity attivita_recente, request richiesta, data dati, tool strumento, ad annuncio
    inserzione, view vista, keyword parola_chiave, purchase acquisto, sale vendita vendite, guest ospite, size dimensione,
    color colore, command comando, screenshot schermata, browser navigatore, memory memoria,
    money soldi denaro, room camera stanza sala, kitchen cucina, rent affitto, insurance assicurazione, doctor medico
    dottore dottoressa, dentist dentista, pharmacy farmacia, child bambino bambini figlio figlia, dog cane, cat gatto,
    wedding matrimonio, birthday compleanno, friend amico amica amici, family famiglia, school scuola, train treno,
    trash cestino spazzatura, weekend fine_settimana, coffee caffe, gift regalo, apartment appartamento, fee
    commissione, tenant inquilino, minute minuto minuti, half meta, neighbor vicino,
    monday lunedi, tuesday martedi, wednesday mercoledi, thursday giovedi, friday venerdi, saturday sabato, sunday domenica,
    january gennaio, february febbraio, march marzo, april aprile, june giugno, july luglio, august agosto, september
    settembre, october ottobre, november novembre, december dicembre, morning mattina mattino, noon mezzogiorno, afternoon
    pomeriggio, evening sera serata, night notte stanotte, two due, three tre, ten dieci, dollar dollaro, quarter trimestre,
    season stagione, summer estate, winter inverno, spring primavera, autumn autunno, holiday festivita, christmas natale,
    easter pasqua, department reparto dipartimento, recipient destinatario, sender mittente, feedback riscontro, estimate
    stima, preview anteprima, skill competenza abilita, score punteggio, brand marchio, retention conservazione, dictionary
    dizionario, risk rischio, target bersaglio, privacy riservatezza, payout versamento, limit limite, partner socio, bank
    banca, stock azioni scorta, enrollment iscrizione, market mercato, license licenza, letter lettera, postcard cartolina,
    evidence prova, income reddito entrate, revenue ricavi fatturato, profit profitto utile, loss perdita, cost costo, debt
    debito, amount importo, loan prestito, donation donazione, donor donatore, accounting contabilita, carrier corriere,
    tracking tracciamento, return reso, warranty garanzia, complaint reclamo lamentela, support assistenza, caller
    chiamante, queue coda, overtime straordinari, vacancy posizione_aperta, interview colloquio, applicant candidati, resume
    curriculum, manager capo, colleague collega, intern stagista, training formazione, exam esame, teacher insegnante
    professore, parent genitori, attendance presenze, university universita, library biblioteca, author autore, publisher
    editore, verse versetto, poem poesia, quote citazione, player giocatore, coach allenatore, goal gol, scorer marcatore
    capocannoniere, league campionato lega, standings classifica, injury infortunio infortunato, lineup formazione_titolare,
    referee arbitro, stadium stadio, odds quote_scommesse, prediction pronostico, movie film, show serie, episode puntata
    episodio, concert concerto, theater teatro, museum museo, lyrics testo_della_canzone, sound suono, subtitle sottotitolo,
    thumbnail miniatura, background sfondo, avatar immagine_profilo, icon icona, font carattere, design grafica, layer
    livello, frame riquadro, sticker adesivo, shape forma, drawing disegno, diagram schema, slide diapositiva, presentation
    presentazione, paragraph paragrafo, heading intestazione, footer pie_di_pagina, spelling ortografia, sentence frase,
    paper studio_scientifico, source fonte, reference riferimento, topic argomento tema, entity entita, sentiment tono
    sentimento, spam posta_indesiderata, filter filtro, rule regola, policy politica, condition condizione, trigger innesco,
    automation automazione, integration integrazione, connection connessione, session sessione, admin amministratore,
    visitor visitatore, traffic traffico, click clic, conversion conversione, trend tendenza, ranking posizionamento,
    competitor concorrente concorrenza, investor investitore, investment investimento, fund fondo, headcount organico,
    industry settore, founder fondatore, neighborhood quartiere, building edificio, parking parcheggio, garden giardino
    orto, roof tetto, leak perdita_d_acqua, heating riscaldamento, repair riparazione, equipment attrezzatura, printer
    stampante, laptop portatile, camera telecamera fotocamera, door porta, window finestra, battery batteria, power corrente
    elettricita, fuel carburante, fleet flotta, truck camion, boat barca nave, station stazione fermata, airport aeroporto,
    passenger passeggero, passport passaporto, seat posto_a_sedere, trip viaggio, luggage bagaglio valigia, breakfast
    colazione, lunch pranzo, dinner cena, food cibo, drink bevanda, wine vino, ingredient ingrediente, medicine farmaco
    medicina, prescription ricetta_medica, hospital ospedale, nurse infermiera, diagnosis diagnosi, symptom sintomo, allergy
    allergia, blood sangue, weight peso, height altezza, sleep sonno, exercise esercizio, swimming nuoto, animal animale,
    plant pianta, tree albero, water acqua, air aria, earthquake terremoto, planet pianeta, asteroid asteroide, law legge,
    court tribunale, lawyer avvocato, lawsuit causa_legale, witness testimone, notary notaio, signer firmatario, document
    documentazione pratica, clause clausola, consent consenso, member socio_del_club, club circolo, volunteer volontario,
    church chiesa, party festa, speaker relatore, booth stand, fair fiera, agenda ordine_del_giorno, poll votazione,
    decision decisione, approval approvazione, mistake sbaglio, outage guasto interruzione, performance prestazioni, uptime
    disponibilita_del_server, certificate certificato, network rete, cloud nuvola, function funzione, feature funzionalita,
    package pacchetto, index indice, collection collezione raccolta, catalog catalogo, gallery galleria, bookmark
    segnalibro, button pulsante bottone, headline titolo_di_giornale, gift_card carta_regalo buono_regalo,
    loyalty fedelta, variant variante, barcode codice_a_barre, quantity quantita, total totale, average media, percent
    percento, archive archivio, wallet portafoglio, crypto criptovaluta, gold oro, coordinates coordinate, neighbour
    vicino_di_casa, boss capo_ufficio, office ufficio, desk scrivania, headache mal_di_testa, name cognome, age eta, gender
    genere, nationality nazionalita, beginning inizio, end fine, current attuale attualmente, late in_ritardo, wrong
    sbagliato sbagliata, missing mancante, duplicate doppione duplicato, empty vuoto, private privato, active attivo,
    expired scaduto scaduta scadute, failed fallito, pending in_sospeso, urgent urgente, important importante, cheap
    economico, expensive caro, available disponibile, red rosso rossa, blue blu, green verde, black nero, white bianco, dark
    scuro,
    four quattro, five cinque, six sei_volte, seven sette, eight otto, nine nove, hundred cento, thousand mille, second
    secondi, hour ore, day giorni, board lavagna, update aggiornamento, newsletter bollettino, mailing_list
    lista_di_distribuzione, copy in_copia, subject oggetto, minutes verbale, group_chat chat_di_gruppo, video_call
    videochiamata, microphone microfono, mute silenziato, slot fascia_oraria, waiting_list lista_d_attesa, deposit caparra
    acconto, installment rata, bill bolletta, vat iva, tax_return dichiarazione_dei_redditi, petty_cash cassa, allowance
    indennita, mileage chilometri, reimbursement rimborso_spese, timesheet foglio_ore, sick_leave malato malattia, cleaner
    addetta_alle_pulizie, plumber idraulico, electrician elettricista, painter imbianchino, mechanic meccanico officina,
    construction cantiere, offer offerta promozione, shelf scaffale, delivery_note bolla_di_consegna, sample campione, size
    taglia, clothes vestiti, shoe scarpe, phone_number numero_di_telefono, meter_reading lettura_del_contatore, temperature
    gradi, heater termosifone, air_conditioning condizionatore, vacuum aspirapolvere, living_room soggiorno, bedroom
    camera_da_letto, bathroom bagno, basement cantina, hallway corridoio, harbour porto, street strada, village villaggio,
    holiday_home casa_vacanze, competition gara torneo, choir coro prove, band gruppo_musicale, baptism battesimo, funeral
    funerale, anniversary anniversario, mother madre mamma, father padre papa, grandmother nonna, grandfather nonno, brother
    fratello, sister sorella, aunt zia, uncle zio, man uomo, woman donna, girl ragazza, boy ragazzo, baby neonato,
    vaccination vaccino richiamo, vet veterinario, cow mucca vitello, horse cavallo, chicken gallina pollo, egg uova, milk
    latte, bread pane, cheese formaggio, bakery panificio forno, soap sapone, candle candela, flower fiore fiori, cup tazza,
    bicycle bicicletta bici, motorcycle moto, step passi, run corso_oggi, blood_pressure pressione, lock serratura, alarm
    sveglia, fire incendio fuoco, irrigation irrigazione, field appezzamento, hay fieno, permission diritti, error errori,
    on_call reperibilita, on_leave in_ferie, handover consegne, inspection ispezione sopralluogo, defect difetto,
    maintenance manutenzione, spare_part pezzo_di_ricambio, screw vite, tool trapano, neighborhood condominio, hearing
    udienza, claim sinistro, tenant affittuario, landlord padrone_di_casa, viewing visita_all_appartamento, mortgage mutuo,
    chord accordo, poster manifesto locandina, flyer volantino, print_shop tipografia, like mi_piace, follower seguaci, star
    stella, table tavolo, waiter cameriere, dish piatto, kindergarten asilo, parents_evening
    riunione_dei_genitori, customs dogana, pallet bancale, best_before data_di_scadenza,
    ready pronto pronta, correct giusto giusta corretto, valid valido valida, tip mancia, cheque assegno, direct_debit
    addebito_diretto, nut noci, move trasloco, tender gara_d_appalto, strike sciopero, elevator ascensore, drain
    scarico_del_lavandino, dishwasher lavastoviglie, forklift muletto, oil olio, spare ricambio, leaflet brochure, subpage
    sottopagina, archive pratiche, note appunti, contact_person referente, representative rappresentante, utilization
    occupazione, error difetto_del_codice, husband marito, wife moglie, person gente, thing cose, piece pezzo, way modo
    maniera, size piu_piccolo piu_grande, long lungo lunga, short corto corta, big grande grandi, small piccolo piccola,
    good buona, bad cattivo cattiva, better meglio migliore, latest piu_recente, main principale, own proprio propria, real
    vero vera, automatic automatico, final definitivo definitivamente, english inglese, german tedesco, french francese,
    spanish spagnolo, italian italiano, polish polacco, switzerland svizzera, cover copertina, air_quality
    qualita_dell_aria, section sezione, column colonne, unit_test test, lead contatto_commerciale,
    catering catering, half mezza mezzo mezzi, tag tag, team team, ticket ticket, backup backup, paper carta carte,
    issue issue, string stringa, technician tecnico, studio studio, assembly assemblea, stamp bollo, plastic plastica,
    dishwasher lavapiatti, bridge ponte, mobile mobile, city_hall comune, quiz quiz, architect architetta architetto,
    annual annuali annuale, contact rubrica, original originale, administration amministrazione, watermark filigrana,
    allergy allergico, mushroom funghi, vegetarian vegetariano, contest concorso, favor favore, custom personalizzato
    personalizzata, noise rumore, rule regolamento, chat chat, development sviluppo, baker panettiere, essay saggio, hat
    cappello, gasoline benzina gasolio, lab laboratorio, fairy_tale favola, questionnaire questionario, tile piastrelle,
    damp umido, guitar chitarra, boiler caldaia, hole buchi, commitment impegni, correction correzione, reseller
    rivenditore, roommate coinquilini, wax cera, bee api, thesis tesi, disk disco, coat cappotto, room camere, clogged
    intasato, formula formule, double doppia, report riporta, execution esecuzione, previous precedenti precedente,
    person tizio tizia, music musica, name titolo_nuovo, month mesi mensile, episode puntate, account conti, internal
    interno interna interni, license licenze, day giornata giornale, agency agenzia agenzie, band bando, coupon
    buono_sconto, recipe ricette, department reparti, invoice bollette, payment pagamenti, vendor fornitori, job
    lavoro_da, shift turni, meeting riunioni, appointment appuntamenti, task faccenda, list liste, file documento_da,
    image immagini, comment commenti, visitor visite visitatori, revenue incassi, form moduli, weather tempo_fa,
    password parola_d_ordine, access accessi, version versioni, outage disservizio, number numeri, product prodotti
    articoli, package pacchi, trip viaggi, idea idee, student studenti alunni, course corsi, signature firme, question
    domande`,
};
