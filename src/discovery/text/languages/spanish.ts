/** Spanish verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const spanish: LanguageData = {
  functions: `
    the el la los las lo, a un una unos unas, of de del, in en, to a al hacia, for para por, with con, from desde, and y e,
    or o, then luego despues entonces, my mi mis, our nuestro nuestra nuestros nuestras, this este esta esto, these estos
    estas, that que ese esa eso aquel aquella, all todos todas todo toda, me me, i yo, is es esta son hay, not no ni, if si,
    about sobre acerca, between entre, without sin, what que_es cual cuales, who quien quienes, when cuando, how como,
    where donde, your tu tus su sus, please por_favor, want quiero quisiera necesito queria deseo puedes podrias puede
    podria debes tienes tengo, it se le les nos, also tambien ademas, by mediante, until hasta, now ya ahora hay_que tenemos va ha favor señor señora, only solo solamente,
    more mas, how_many cuantos cuantas cuanto cuanta, be ser estar estan era, at las,
    but pero, very muy, he el_mismo ella ellos ellas, no nada, here aqui ahi alli, same mismo misma, so siempre, have
    han hemos habia, was fue eran estaba estoy, each cada, who alguien nadie, so bien, before antes, after despues_de,
    me dale dile hazme dame, why por_que,
    still todavia aun, something algo, everyone todo_el_mundo, because porque, but sino, before antes_de, during durante,
    against contra, under debajo bajo, above encima arriba, below abajo, inside adentro dentro, outside afuera fuera, back
    de_vuelta, away lejos, down hacia_abajo, up hacia_arriba, too demasiado, less menos, enough bastante suficiente, almost
    casi, soon pronto, immediately enseguida, quickly rapido, maybe quiza tal_vez, about mas_o_menos, together juntos
    junto_con, first primero primera primeros, second segundo segunda_vez, third tercero tercera, once una_vez, again
    otra_vez de_nuevo, same mismos, other otro otra otros, many muchos muchas, some algunos algunas, both ambos, whole
    entero entera, most la_mayoria, thanks gracias, hello hola, ok vale de_acuerdo, can pueden podemos, should deberia, had
    tenia tenian, done hecho hecha, now ahorita, later mas_tarde, ago hace_un_rato, until_now hasta_ahora, instead
    en_lugar_de en_vez_de, just justo, there alla, here aca, mine mio mia, us nosotros, one uno,
    have habian haya hayan he habeis tengamos, is fueron estuvo, would seria, please porfa xfa plis, makes hace, some
    algun alguna, yes si_que, year anos, know sabes sepa, says dicen, little poco, of del_que, sir dona sra sr crso,
    of_his suyo suya, in_which donde_esta, how_much cuanto_cuesta cuanto_vale, how_many cuantas_veces, since desde_hace,
    already ya_esta, let's vamos, until hasta_que, while mientras, both ambas, must debo deben`,
  verbs: `
    create preparar, create crear generar armar montar, add agregar añadir sumar incluir meter, delete borrar eliminar suprimir, remove
    quitar sacar retirar, update actualizar modificar editar corregir, change cambiar cambie, rename renombrar
    cambiar_el_nombre, set poner pon ponga ponme establecer fijar definir configurar, send enviar mandar envia, reply
    responder contestar, forward reenviar, show mostrar muestra muestrame muestreme enseñar ensename ver ve veo mirar
    visualizar, get obtener obten obtener consultar recuperar traer traeme dame deme dar consigue conseguir sacame saber
    conocer, list listar enumerar lista, search buscar busca busque, find encontrar encuentra encuentre encuentrame
    localizar hallar, open abrir abre abra, read leer lee lea, download descargar bajar bajate descarga, upload subir cargar
    sube suba, export exportar, import importar, move mover mueve mueva pasar trasladar, copy copiar copia, duplicate
    duplicar, share compartir, invite invitar, assign asignar, close cerrar cierra cierre, complete completar terminar
    finalizar acabar, mark marcar marque, cancel cancelar anular, archive archivar, restore restaurar recuperar, publish
    publicar publique, post postear, schedule programar planificar agendar agenda, reschedule reprogramar posponer pospon
    aplazar aplace retrasar, start iniciar empezar empieza comenzar comienza arrancar lanzar, stop detener deten parar,
    pause pausar, resume reanudar, run ejecutar correr, enable activar habilitar encender enciende, disable desactivar
    deshabilitar apagar, approve aprobar aprueba, reject rechazar, accept aceptar, merge fusionar combinar unir, lock
    bloquear, unlock desbloquear, subscribe suscribir, unsubscribe desuscribir, follow seguir sigue siga, unfollow
    dejar_de_seguir, like gustar, pay pagar pague, charge cobrar, refund reembolsar devolver devuelve devuelva, buy comprar,
    order pedir pide pida encargar, book reservar, check comprobar comprueba revisar, verify verificar validar, count
    contar, calculate calcular, convert convertir convierte convierta, translate traducir traduce traduzca traduceme,
    summarize resumir resume resuma, compare comparar, analyze analizar, write escribir redactar, save guardar grabar,
    attach adjuntar, block bloquear, notify notificar avisar avisa, remind recordar recuerdame recuerda, connect conectar,
    disconnect desconectar, sync sincronizar, track rastrear seguir_la_pista, record registrar anotar apuntar apunta, call
    llamar, ask preguntar, sign firmar, print imprimir, play reproducir reproduce tocar, mute silenciar, pin fijar,
    sort ordenar, filter filtrar, replace reemplazar sustituir, clear limpiar vaciar, leave salir abandonar, join unirse,
    deploy desplegar despliega, build construir compilar, test probar prueba, scan escanear, extract extraer extrae,
    transcribe transcribir, draw dibujar, resize redimensionar, compress comprimir, submit presentar, describe describir,
    explain explicar, log registrar, tag etiquetar, comment comentar, review revisar, link vincular enlazar, hide ocultar,
    reset restablecer reiniciar, retry reintentar, split dividir, transfer transferir, suspend suspender, revoke revocar,
    grant conceder otorgar, crop recortar, predict predecir, solve resolver resuelve, browse navegar, visit visitar,
    fetch traer, evaluate evaluar evalua, multiply multiplicar, divide dividir, round redondear,
    create dar_de_alta da_de_alta darse_de_alta, win ganar gano, lose perder perdio, sell vender vendido, forget
    olvidar, fix arreglar reparar, rent alquilar arrendar, hire contratar, delete tirar tira quitalo, add anadele,
    deliver entregar, sign firma,
    take tomar toma, bring trae, come venir viene, go ir, stay quedar queda quedan, need necesitar necesita falta, owe deber
    debe, cost costar cuesta, consume consumir gastar, hit golpear, grow crecer crecido, increase aumentar, reduce reducir,
    improve mejorar, work trabajar, function funcionar funciona, leave dejar deja, hold mantener retener, keep conservar,
    sign_in iniciar_sesion, sign_out cerrar_sesion, register inscribir, clock_in fichar, clock_out fichar_la_salida, drop
    descartar, promote ascender, fire despedir, recommend recomendar, suggest sugerir, discuss discutir hablar, speak habla,
    tell decir di, report reportar denunciar, decide decidir, plan planear, measure medir, weigh pesar, cook cocinar, eat
    comer, arrive llegar, ship enviar_el_paquete, pack empaquetar, break romper roto, wait esperar, listen escuchar, learn
    aprender, teach ensenar, enroll matricular, grade calificar, ban vetar, kick expulsar echar, hang_up colgar, roll_back
    revertir, migrate migrar, index indexar, detect detectar, classify clasificar, match emparejar, forecast pronosticar,
    rank clasificar_por,
    nudge dar_un_toque, reply contesta respondido, forward rebota, call_back devolver_la_llamada, pick_up recoger recoge,
    drop_off dejar_en, lend prestar prestado, borrow pedir_prestado, exchange cambiar_por, pay pagado, sell agotado, answer
    contestado, confirm confirmar confirma, decline declinar, bring_forward adelantar, shorten acortar, extend prolongar
    ampliar, renew renovar, expire caducar vencer, swap intercambiar, cover cubrir, thank agradecer, apologize disculparse,
    congratulate felicitar, hang colgar_en, stick pegar, cut cortar, open abierto, switch_on poner_en_marcha, lower
    bajar_el_volumen, raise subir_el_volumen, wake despertar, look echar_un_vistazo ojear, see visto, know sabe, think
    pensar, happen pasa paso, fall caer cayo, rise subio, miss perdido_la_llamada, wear llevar_puesto, help ayudar ayuda,
    swipe deslizar, pack agrupar,
    retweet retuitear, clone clonar, restore recuperar_la_copia, unsubscribe darse_de_baja dar_de_baja, sign_up alta,
    take_over asumir, sign firmado firmo, change cambiado cambio, write escrito escribio, say dicho dijo, exist existe
    existen, mean significa, use usa usan, forget olvidate olvido, freeze congelar congela, deploy sacar_a_produccion,
    escalate escalar, join apuntarse, travel viajar, breed criar, rain llover llovera, freeze_over hiela helada,
    delete suprime tiralo deshazte, remove sacalo quitale retira, add apuntalo agrega incluye anota_en sumale suma_al,
    create hacer hazlo haz creame abre_un monta redacta, write escribe escribeme anotame, send manda enviale reenviale
    pasa_el, tell digo cuentale, notify avisame avisales, receive recibi recibido recibir llego_el, give da dales, show
    ensena ves, see vio vi viste ver_si, check mirar_si revisa mira_si, find localiza, read leelo, complete termina
    terminado acaba acabado tacha tachar, cancel cancela da_de_baja_la, update actualiza corrige corrigela modifica
    edita, change cambiale, move pasalo_a traslada, postpone retrasa aplaza, bring_forward adelanta, schedule agenda_una
    programa planifica pon_una_reunion, book reserva_una, assign asigna encarga encargale, share comparte, join une
    unete apuntate, unsubscribe da_de_baja baja_a, subscribe suscribe, register inscribe apuntado, pay paga abonar,
    charge cobra cobrale facturar, refund devuelvele reembolsa, sell vende, order pideme pedido_de, reject rechaza, ask
    preguntale, call llamale, hang_up cuelga, remind acordarme acuerdate, remember recuerdo, keep conserva, restore
    recupera resucita, merge juntar fusiona, split reparte repartir, rename renombra ponle_de_nombre, publish
    cuelga_el_post tuitea, play toca_la, record graba, compare compara, calculate calcula, count cuenta_cuantos, convert
    pasa_a_pdf, lock cierra_con_llave, unlock desbloquea, enable activa, disable desactiva, turn_on encender_la,
    turn_off apaga apagalo, stop para_el, pause pausa, resume reanuda, run ejecuta ejecucion corre_el, fix arregla
    arreglado, break rota, fail fallar, deliver entrega_el, submit entregado_ya entregar_la, arrive llega llegan
    llegado, leave irse se_va se_fue, go voy van fui, return volver devolver_el, like dale_me_gusta, hide oculta, upload
    subelo, download baja_el, sign firma_el, draw dibuja, explain explica, hire contratado, fire despedido, move_out
    mudar mudarse, marry caso_con, measure midiendo, land aterrizar aterrice`,
  nouns: `
    email correo correos mail correo_electronico, inbox bandeja bandeja_de_entrada buzon, message mensaje mensajes,
    channel canal canales, conversation conversacion, chat charla, thread hilo, reply respuesta, draft borrador, attachment
    adjunto archivo_adjunto, label etiqueta, folder carpeta directorio, file archivo fichero, document documento, page
    pagina, note nota, notebook cuaderno libreta, task tarea pendiente, subtask subtarea, list lista listado, project
    proyecto, board tablero, card tarjeta, column columna, checklist lista_de_control, comment comentario, mention mencion,
    reaction reaccion, issue incidencia, ticket tique, bug error fallo, repository repositorio, branch rama, commit
    confirmacion, pull_request solicitud_de_extraccion, release lanzamiento version, code codigo, workflow flujo
    flujo_de_trabajo, pipeline canalizacion, build compilacion, deployment despliegue implementacion, environment entorno,
    variable variable, secret secreto, key clave llave, event evento, calendar calendario, meeting reunion junta,
    appointment cita, reminder recordatorio, invitation invitacion, attendee asistente asistentes invitado participante,
    availability disponibilidad huecos, schedule horario agenda, contact contacto, customer cliente clientes, company
    empresa compañia, organization organizacion, lead prospecto, deal trato negocio negociacion, opportunity oportunidad,
    quote presupuesto cotizacion, order pedido pedidos orden encargo, cart carrito, product producto, item articulo
    elemento, price precio, discount descuento, coupon cupon, inventory inventario existencias, shipment envio, package
    paquete, address direccion, store tienda, invoice factura facturas, payment pago pagos cobro, refund reembolso
    devolucion, subscription suscripcion, plan plan, balance saldo, account cuenta cuentas, transaction transaccion
    movimiento, transfer transferencia, receipt recibo, expense gasto gastos, budget presupuesto_anual, tax impuesto, credit
    credito, dispute disputa, vendor proveedor, employee empleado trabajador, candidate candidato, job empleo trabajo
    puesto, application solicitud, vacation vacaciones, leave permiso baja ausencia, payroll nomina, salary sueldo salario,
    shift turno, team equipo, member miembro integrante, user usuario usuarios, group grupo, role rol papel, permission
    permisos, access acceso, password contraseña, profile perfil, photo foto fotografia, image imagen, video video
    videos, audio audio, song cancion, playlist lista_de_reproduccion, album album, artist artista, recording grabacion,
    transcript transcripcion, translation traduccion, language idioma lengua, text texto, summary resumen, report informe
    reporte, chart grafico grafica, dashboard panel, statistics estadistica estadisticas, metric metrica, analysis analisis,
    spreadsheet hoja_de_calculo, sheet hoja, row fila, cell celda, table tabla, database base_de_datos, record registro,
    field campo, value valor, query consulta, form formulario, survey encuesta, response respuestas, question pregunta,
    template plantilla, campaign campaña, audience audiencia publico, segment segmento, subscriber suscriptor, newsletter
    boletin, post publicacion entrada, article articulo_de_blog, story historia, follower seguidor, website sitio web
    sitio_web, page pagina_web, domain dominio, link enlace vinculo, url direccion_web, result resultado, news noticia
    noticias, weather tiempo clima, forecast pronostico prevision, temperature temperatura, map mapa, location ubicacion
    lugar, city ciudad, country pais, route ruta, distance distancia, flight vuelo, hotel hotel, reservation reserva
    reservacion, ride viaje, restaurant restaurante, menu menu, review reseña, rating valoracion calificacion, stock
    accion_de_bolsa, currency moneda divisa, exchange_rate tipo_de_cambio, number numero, sum suma, percentage porcentaje,
    date fecha, time hora, timezone zona_horaria, duration duracion, day dia, week semana, month mes, year año, today hoy,
    tomorrow mañana, yesterday ayer, timer temporizador cronometro, log bitacora, error error, alert alerta, incident
    incidente, status estado, monitor monitor, server servidor, backup copia_de_seguridad respaldo, space espacio, storage
    almacenamiento, device dispositivo, sensor sensor, light luz luces, phone telefono movil, call llamada, voicemail
    buzon_de_voz, sms mensaje_de_texto, notification notificacion aviso, settings ajustes configuracion preferencias,
    version versiones, history historial, change cambios, copy copias, name nombre, title titulo, description descripcion,
    category categoria, priority prioridad, deadline plazo fecha_limite, owner propietario dueño responsable, stage etapa
    fase, goal objetivo meta, milestone hito, workspace espacio_de_trabajo, drive unidad, signature firma, contract
    contrato, envelope sobre_de_firma, student alumno estudiante, course curso asignatura, class clase, grade calificaciones
    nota_final, assignment deberes, lesson leccion, recipe receta, book libro, chapter capitulo, definition definicion, word
    palabra, game juego partido, patient paciente, property propiedad inmueble, house casa, car coche auto, vehicle
    vehiculo, driver conductor, delivery entrega reparto, new nuevo nueva nuevos nuevas, last ultimo ultima ultimos
    ultimas, next proximo proxima, open abiertas abiertos, unread no_leidos sin_leer, old viejo vieja antiguo, free libre,
    person persona personas gente, people gente, activity actividad, request peticion, response respuesta_http, data datos,
    tool herramienta, warehouse almacen, ad anuncio, click clic, view vista, keyword palabra_clave, purchase compra, sale
    venta ventas, warning advertencia, guest huesped, size tamaño, color color, code codigo, math matematica, formula
    formula, command comando, folder carpetas, screenshot captura captura_de_pantalla, browser navegador, memory memoria,
    money dinero, room habitacion sala cuarto, kitchen cocina, rent alquiler renta, insurance seguro, doctor medico
    doctor, dentist dentista, pharmacy farmacia, child nino nina ninos hijo hija, dog perro, cat gato, wedding boda,
    birthday cumpleanos, friend amigo amiga amigos, family familia, school colegio escuela, train tren, trash papelera
    basura, weekend finde fin_de_semana, coffee cafe, gift regalo, apartment piso apartamento departamento, fee tarifa
    cuota, tenant inquilino, minute minuto minutos, half mitad, neighbor vecino,
    monday lunes, tuesday martes, wednesday miercoles, thursday jueves, friday viernes, saturday sabado, sunday domingo,
    january enero, february febrero, march marzo, april abril, june junio, july julio, august agosto, september septiembre,
    october octubre, november noviembre, december diciembre, morning manana_por_la, noon mediodia, afternoon tarde, evening
    anochecer, night noche anoche, two dos, three tres, ten diez, euro euros, dollar dolar, quarter trimestre, season
    temporada, summer verano, winter invierno, spring primavera, autumn otono, holiday festivo, christmas navidad, easter
    pascua, recipient destinatario, sender remitente, feedback comentarios_de_clientes, estimate estimacion, preview
    vista_previa, skill habilidad, score puntuacion marcador, brand marca, retention retencion, dictionary diccionario, risk
    riesgo, target objetivo_de_ventas, privacy privacidad, payout pago_saliente desembolso, limit limite, partner socio,
    bank banco, stock accion_bursatil, quiz cuestionario, enrollment inscripcion matricula, market mercado, license
    licencia, letter carta, postcard postal, logo logotipo, evidence prueba_documental, income ingresos, revenue
    facturacion, profit beneficio ganancia, loss perdida, cost coste costo, debt deuda, amount importe monto, loan prestamo,
    donation donacion, donor donante, accounting contabilidad, warehouse deposito, carrier transportista, tracking
    seguimiento, warranty garantia, complaint queja reclamacion, support soporte, caller llamante, queue cola, overtime
    horas_extra, vacancy vacante, interview entrevista, applicant solicitante postulante, resume curriculum, manager gerente
    jefe, colleague colega companero, intern becario, training formacion capacitacion, exam examen, teacher profesor
    maestro, parent padres, attendance asistencia, university universidad, library biblioteca, author autor, publisher
    editorial, verse versiculo, poem poema, player jugador, coach entrenador, goal gol, scorer goleador, league liga,
    standings clasificacion, injury lesion lesionado, lineup alineacion, referee arbitro, stadium estadio, odds cuotas,
    prediction prediccion, movie pelicula, show serie, episode episodio, concert concierto, theater teatro, museum museo,
    lyrics letra_de_la_cancion, voice voz, sound sonido, subtitle subtitulo, thumbnail miniatura, background fondo, avatar
    foto_de_perfil, icon icono, font tipografia fuente, design diseno, layer capa, frame marco, sticker pegatina, shape
    forma, drawing dibujo, diagram esquema, slide diapositiva, presentation presentacion, paragraph parrafo, heading
    encabezado, footer pie_de_pagina, spelling ortografia, sentence frase oracion, abstract resumen_del_articulo, paper
    articulo_cientifico estudio, source fuente_de_datos, reference referencia, topic tema, entity entidad, sentiment
    sentimiento tono, spam correo_basura, filter filtro, rule regla, policy politica, condition condicion, trigger
    disparador, automation automatizacion, integration integracion, connection conexion, session sesion, login
    inicio_de_sesion, admin administrador, visitor visitante, traffic trafico, trend tendencia, ranking posicionamiento,
    competitor competidor competencia, investor inversor, investment inversion, fund fondo_de_inversion, headcount
    plantilla_de_personal, industry sector, founder fundador, neighborhood barrio, building edificio, floor planta, parking
    aparcamiento estacionamiento, garden jardin huerto, roof tejado techo, leak fuga gotera, heating calefaccion, repair
    reparacion, equipment equipamiento, machine maquina, printer impresora, laptop portatil, camera camara, door puerta,
    window ventana, battery bateria, power corriente energia_electrica, fuel combustible, fleet flota, truck camion, boat
    barco, station estacion parada, airport aeropuerto, passenger pasajero, passport pasaporte, seat asiento, luggage
    equipaje maleta, breakfast desayuno, lunch almuerzo, dinner cena, food comida, drink bebida, wine vino, ingredient
    ingrediente, grocery compra_del_super, medicine medicamento medicina, prescription receta_medica, hospital clinica,
    nurse enfermera, diagnosis diagnostico, symptom sintoma, allergy alergia, blood sangre, weight peso, height altura,
    sleep sueno, exercise ejercicio, swimming natacion, animal mascota, tree arbol, water agua, air aire, earthquake
    terremoto sismo, planet planeta, asteroid asteroide, satellite satelite, law ley, court tribunal juzgado, lawyer
    abogado, lawsuit demanda pleito, witness testigo, notary notario, signer firmante, document documentacion papeles,
    clause clausula, consent consentimiento, volunteer voluntario, church iglesia, party fiesta, speaker ponente orador,
    booth stand, fair feria, webinar seminario_web, agenda orden_del_dia, poll encuesta_rapida votacion, vote voto, approval
    aprobacion, mistake error_mio equivocacion, problem problema, outage caida interrupcion, performance rendimiento, uptime
    disponibilidad_del_servidor, certificate certificado, network red, cloud nube, container contenedor, function funcion,
    feature funcionalidad caracteristica, index indice, collection coleccion, catalog catalogo, gallery galeria, tab
    pestana, button boton, banner pancarta, headline titular, press prensa, hashtag etiqueta_de_twitter, gift_card
    tarjeta_regalo, loyalty fidelizacion, variant variante, barcode codigo_de_barras, quantity cantidad, average promedio
    media, percent por_ciento, archive archivo_historico, wallet cartera monedero, crypto criptomoneda, gold oro,
    coordinates coordenadas, boss jefa, office oficina, desk escritorio, headache dolor_de_cabeza, name apellido, age edad,
    gender genero, nationality nacionalidad, beginning principio inicio, end final fin, current actual actualmente, late
    tarde_con_retraso, wrong equivocado incorrecto, missing faltante, duplicate duplicado repetido, empty vacio, private
    privado, active activo, expired vencido caducado, failed fallido, urgent urgente, important importante, cheap barato,
    expensive caro, nearby cerca cercano, available disponible, red rojo roja, blue azul, green verde, black negro, white
    blanco, dark oscuro,
    four cuatro, five cinco, six seis, seven siete, eight ocho, nine nueve, hundred cien, thousand mil, second segundos,
    hour horas, day dias, pipeline embudo_de_ventas, team equipos, board tablon, update novedad actualizacion, mailing_list
    lista_de_correo, copy en_copia, subject asunto, minutes acta minuta, group_chat chat_de_grupo, video_call videollamada,
    microphone microfono, mute silenciado, slot hueco_libre, waiting_list lista_de_espera, deposit fianza senal anticipo,
    bill factura_de_la_luz, vat iva, tax_return declaracion_de_la_renta, petty_cash caja, allowance dieta subsidio, mileage
    kilometros kilometraje, reimbursement reembolso_de_gastos, timesheet hoja_de_horas parte_de_horas, sick_leave enfermo
    baja_medica, cleaner limpiadora, plumber fontanero, electrician electricista, painter pintor, mechanic mecanico taller,
    construction obra construccion, offer oferta ofertas promocion, shelf estante, delivery_note albaran, size talla,
    clothes ropa, shoe zapatos botas, phone_number numero_de_movil, meter_reading lectura_del_contador, electricity
    luz_electrica, temperature grados, heater radiador, air_conditioning aire_acondicionado, vacuum aspiradora, living_room
    salon sala_de_estar, bedroom dormitorio, bathroom cuarto_de_bano, basement sotano, hallway pasillo, harbour puerto,
    street calle, village pueblo, holiday_home casa_rural apartamento_turistico, event acto, competition torneo concurso,
    choir coro ensayo, band grupo_musical banda, baptism bautizo, anniversary aniversario, mother madre mama, father padre
    papa, grandmother abuela, grandfather abuelo, brother hermano, sister hermana, aunt tia, uncle tio, man hombre, woman
    mujer senora, girl chica, boy chico, baby bebe, vaccination vacuna, vet veterinario, cow vaca ternero, horse caballo,
    chicken gallina pollo, egg huevo huevos, milk leche, bread pan, cheese queso, bakery panaderia, soap jabon, candle vela,
    flower flor flores, cup taza, bicycle bicicleta bici, motorcycle moto, step pasos, run corri, blood_pressure tension
    presion_arterial, lock cerradura, alarm despertador alarma, fire incendio fuego, drone dron, irrigation riego, field
    parcela, hay heno, note apunte, receipt ticket_de_compra, voucher bono, error errores, on_call guardia, on_leave
    de_vacaciones, handover relevo, inspection inspeccion, defect defecto, maintenance mantenimiento, spare_part
    pieza_de_repuesto, screw tornillo, tool taladro, neighborhood comunidad_de_vecinos, hearing vista_oral, claim siniestro
    parte_al_seguro, insurer aseguradora, landlord casero, viewing visita_al_piso, mortgage hipoteca, chord acorde, poster
    cartel, flyer folleto, print_shop imprenta, like me_gusta, follower seguidores, review resena opinion, star estrella,
    table mesa, waiter camarero, dish plato, test examen_parcial control, kindergarten guarderia, babysitter canguro ninera,
    parents_evening reunion_de_padres, customs aduana, container contenedor_maritimo, pallet pale, stocktaking recuento,
    best_before fecha_de_caducidad,
    ready listo, correct correcto correcta, valid valido valida, tip propina, direct_debit domiciliacion, nut frutos_secos,
    calorie calorias, move mudanza, tender licitacion, strike huelga, elevator ascensor, drain desague, dishwasher
    lavavajillas friegaplatos, forklift carretilla, oil aceite, spare repuesto, leaflet folleto_de_mano, subpage subpagina,
    archive expediente, note notas, contact_person persona_de_contacto, representative representante, utilization ocupacion,
    memory memoria_ram, duplicate repetida, husband marido esposo, wife esposa, thing cosa cosas, piece pieza trozo, way
    manera forma_de, size mas_pequeno mas_grande, long largo larga, short corto corta, big grande grandes, small pequeno
    pequena, good bueno buena, bad malo mala, better mejor, latest mas_reciente ultima_version, main principal, own propio
    propia, real verdadero, automatic automatico automaticamente, final definitivo definitivamente, english ingles, german
    aleman, french frances, spanish espanol, italian italiano, polish polaco, switzerland suiza, cover portada, air_quality
    calidad_del_aire, weather tiempo_atmosferico, scraper rastreador, section seccion apartado, column columnas, unit_test
    pruebas, lead contacto_comercial,
    month meses mensual, ticket tiket tickets, use uso usos, reading lectura lecturas, architect arquitecta arquitecto,
    manager gestor gestora, city_hall ayuntamiento, place local, recycling reciclaje, bridge puente, shirt camisa, usual
    habitual, bot bot, music musica, gasoline gasolina gasoil diesel, review revision revisiones, practice practica,
    parking parking, dry_cleaner tintoreria, guitar guitarra, portal portal, home_renovation reforma, essay redaccion,
    loop bucle, disk disco, shoe zapatillas, ferry ferry, carpentry carpinteria, bee abejas, tasting cata, cabin cabana,
    light_weight ligera ligero, welcome bienvenida, selection seleccion, drought sequia, base bases base, conversion
    conversiones, technology tecnologia, engineer ingenieras ingeniero ingeniera, late atrasado atrasada, freelance
    autonomo autonomos, boiler caldera, leak goteras, gas gas, story cuento cuentos, table mesas, clock reloj, card
    ficha, position puestos, hurry prisa, mushroom setas, key llaves, note apuntes, school cole, child peque, landlord
    casera, size tallas, bug fallo_del_programa, floor suelo, flight vuelos, return vuelta, street calles, envio
    shipment, shipment envios paquetes, teacher profe profesora, student alumna, grade nota_del_examen, course cursos,
    discount rebaja, customer clientas, vendor proveedores, employee empleados trabajadores, candidate candidatos, job
    vacantes, vacation dias_libres, sick_leave de_baja, shift turnos, meeting reuniones quedada, appointment citas, task
    tareas, file archivos ficheros, image imagenes, comment comentarios, post publicaciones, visitor visitas visitantes,
    campaign campanas, form formularios, survey encuestas, weather tiempo_hace, password contrasenas, access accesos,
    number numeros, report informes, overview resumen_general, quote presupuestos, product productos articulos,
    inventory stock, trip viajes, hotel alojamiento, light_bulb bombilla, goal objetivos, idea ideas`,
};
